import * as z from "zod";
import { byteSize } from "./byte_size.ts";
import type { SkipReason } from "./rag/index.ts";
import { schema } from "./schema.ts";
import { onOneLine } from "./shown_part.ts";
import { defineTool, text } from "./tool.ts";

const REASONS = {
  binary: "no text",
  too_large: "over 2 MB",
  unreadable: "cannot be read",
  holds_a_key: "hold a secret key",
} as const satisfies Record<SkipReason, string>;

const status = z.object({
  files: z.number(),
  chunks: z.number(),
  sessions: z.number(),
  embedded: z.number().optional(),
  bytes: z.number(),
  updated: z.string().optional(),
  skipped: z.array(z.object({
    reason: z.enum(["binary", "too_large", "unreadable", "holds_a_key"]),
    count: z.number(),
    examples: z.array(z.string()),
  })),
});

/** The tool `rag_status`: what the index holds, and what it leaves out. */
export const ragStatus = defineTool({
  name: "rag_status",
  description: "What the index of rag_search holds, and leaves out.",
  parameters: schema(z.strictObject({})),
  needs: { read: ["workspace"], uses: ["index"] },
  callable: true,
  plan: () => ({ touches: [{ kind: "read", path: "." }] }),
  async run(_args, { index }) {
    const { skipped, ...rest } = await index.status();
    return {
      ...rest,
      skipped: skipped.map(({ examples, ...one }) => ({ ...one, examples: [...examples] })),
    };
  },
  result: schema(status),
  render: (value) => [text(render(value))],
});

function render(value: z.infer<typeof status>): string {
  const { files, chunks, sessions, embedded, bytes, updated, skipped } = value;
  if (updated === undefined && files === 0) return "[nothing is indexed yet: rag_search does it]";
  return [
    `${files} files in ${chunks} chunks, ${byteSize(bytes)}; sessions: ${sessions}`,
    ...(embedded === undefined ? [] : [`Chunks with a vector: ${embedded}`]),
    `Last whole update: ${updated ?? "none"}`,
    ...skipped.map(({ reason, count, examples }) => {
      const more = count > examples.length ? ", …" : "";
      return `Left out, ${REASONS[reason]}: ${count} (${
        examples.map(onOneLine).join(", ")
      }${more})`;
    }),
  ].join("\n");
}
