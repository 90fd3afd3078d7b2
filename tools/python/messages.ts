import * as z from "zod";

/** What the driver says of an image: its bytes in base64, unless it is too large. */
const image = z.object({
  /** Of the file that was written; empty for one that was only drawn. */
  path: z.string(),
  media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  bytes: z.number(),
  data: z.string().optional(),
});

const failure = z.union([
  z.object({ exit: z.number() }),
  z.object({ error: z.string(), message: z.string() }),
]);

const message = z.union([
  z.object({ ready: z.object({ version: z.string(), executable: z.string() }) }),
  z.object({
    call: z.object({
      id: z.number(),
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
  }),
  z.object({ image }),
  z.object({ done: z.object({ id: z.number(), failure: failure.nullish() }) }),
]);

/** A message of the driver. */
export type DriverMessage = z.infer<typeof message>;

/** An image that a cell has drawn or written. */
export type DrawnImage = z.infer<typeof image>;

/** How a cell failed: by `sys.exit()`, or by an exception. */
export type CellFailure = z.infer<typeof failure>;

/** Reads what came; undefined where it is no message: a cell can send what it likes. */
export function parseMessage(value: unknown): DriverMessage | undefined {
  const parsed = message.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A tool as Python sees it: parameters by keyword, and whether each must be given. */
export interface PythonFunction {
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, required: boolean])[];
  readonly doc: string;
}

/** What is sent to the driver, a line each. */
export type DriverRequest =
  | { readonly start: { readonly key: string; readonly functions: readonly PythonFunction[] } }
  | { readonly run: { readonly id: number; readonly code: string } }
  | { readonly interrupt: number }
  | { readonly reply: { readonly id: number; readonly value: unknown } }
  | { readonly reply: { readonly id: number; readonly problem: string } };
