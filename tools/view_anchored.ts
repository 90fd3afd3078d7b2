import * as z from "zod";
import { renderRows, viewAnchored as anchoredRows } from "../edit/anchors.ts";
import { cutRow } from "./anchored_rows.ts";
import { notEdited } from "./edit_result.ts";
import { schema } from "./schema.ts";
import { readTextFile } from "./text_file.ts";
import { MAX_LINES, MAX_WINDOW_BYTES } from "./text_window.ts";
import { defineTool, text } from "./tool.ts";

const view = z.object({
  ok: z.literal(true),
  path: z.string(),
  rows: z.array(z.object({ line: z.number(), anchor: z.string(), text: z.string() })),
  total_lines: z.number(),
});

const parameters = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).describe("First line, from 1").optional(),
  limit: z.int().min(1).describe("Number of lines").optional(),
});

export const viewAnchored = defineTool({
  name: "view_anchored",
  description:
    "Show a file with an anchor before each line, as anchor│ text, for patch_anchored. To only read, use read_file.",
  parameters: schema(parameters),
  needs: { read: ["workspace"] },
  plan: ({ path }) => ({ touches: [{ kind: "read", path }] }),
  async run({ path, offset = 1, limit = MAX_LINES }, { files }) {
    const file = await readTextFile(files, path);
    if (!file.ok) return file;
    const all = anchoredRows(file.text);
    const wanted = all.slice(offset - 1, offset - 1 + Math.min(limit, MAX_LINES));
    return {
      ok: true as const,
      path: file.content.facts.path,
      rows: withinBytes(wanted.map(cutRow)),
      total_lines: all.length,
    };
  },
  result: schema(z.union([view, notEdited])),
  render: (value) => [text(value.ok ? renderView(value) : value.message)],
});

type Row = z.infer<typeof view>["rows"][number];

/** The first rows that fit into one answer, at least one: an anchor stands for the whole line. */
function withinBytes(rows: readonly Row[]): Row[] {
  let left = MAX_WINDOW_BYTES;
  const end = rows.findIndex(({ anchor, text }) => (left -= anchor.length + text.length + 3) < 0);
  return rows.slice(0, end < 0 ? rows.length : Math.max(1, end));
}

function renderView({ rows, total_lines }: z.infer<typeof view>): string {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) {
    return total_lines === 0 ? "[empty file]" : `[the file has ${total_lines} lines]`;
  }
  if (last.line === total_lines) return renderRows(rows);
  const next = `continue with offset=${last.line + 1}`;
  return `${renderRows(rows)}\n[lines ${first.line}-${last.line} of ${total_lines}; ${next}]`;
}
