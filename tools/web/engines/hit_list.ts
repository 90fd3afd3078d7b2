import * as z from "zod";

/** A text that a hit may go without; empty then. */
export const textOrNone = z.string().nullish().transform((text) => text ?? "");

/**
 * A list of hits. One of another shape is left out, since engines let through what pages say of
 * themselves; where all are, the engine's interface is another one.
 */
export function hitList<T>(hit: z.ZodType<T>) {
  return z.array(z.unknown()).transform((items, context): T[] => {
    const hits = items.flatMap((item) => {
      const parsed = hit.safeParse(item);
      return parsed.success ? [parsed.data] : [];
    });
    if (items.length === 0 || hits.length > 0) return hits;
    context.addIssue({ code: "custom", message: "no hit has its shape" });
    return z.NEVER;
  });
}
