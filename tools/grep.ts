import * as z from "zod";
import type { SearchHit } from "../sandbox/files/files.ts";
import { firstMatches } from "../sandbox/files/search.ts";
import { withNearestNames } from "./nearest_name.ts";
import { refusal, refusalValue, renderRefusal } from "./refusal.ts";
import { schema } from "./schema.ts";
import { found, onOneLine, renderFound, spillRows } from "./shown_part.ts";
import { defineTool, text } from "./tool.ts";

/** Matches shown at the most. */
const MAX_SHOWN = 200;

/** Matches in the spilled list at the most; more are counted only. */
const MAX_SPILLED = 10_000;

/** Lines of context at the most. */
const MAX_CONTEXT = 20;

const hit = z.object({
  path: z.string(),
  line: z.number(),
  text: z.string(),
  kind: z.enum(["match", "context"]),
});

const hits = found.extend({ ok: z.literal(true), hits: z.array(hit) });

export const grep = defineTool({
  name: "grep",
  description:
    "Search file contents by regular expression, in a folder or one file. Rows are path:line:text. Ignored and dot files are left out unless hidden is true.",
  parameters: schema(z.strictObject({
    pattern: z.string().min(1),
    path: z.string().default("."),
    include: z.string().describe('Files by glob, as "*.ts"').optional(),
    ignore_case: z.boolean().optional(),
    context: z.int().min(0).describe("Lines around each match").optional(),
    hidden: z.boolean().optional(),
  })),
  needs: { read: ["workspace", "session"], uses: ["store"] },
  callable: true,
  plan: ({ path }) => ({ touches: [{ kind: "read", path }] }),
  async run(args, { files, store, callId }) {
    const { pattern, path, include, ignore_case = false, context = 0, hidden = false } = args;
    const around = Math.min(context, MAX_CONTEXT);
    const searched = await files.search({
      path,
      pattern,
      ignoreCase: ignore_case,
      ...(include === undefined ? {} : { include }),
      context: around,
      hidden,
      limit: MAX_SPILLED,
    });
    if (!searched.ok) return refusalValue(await withNearestNames(files, searched));
    const { total, stopped, unreadable } = searched;
    const shown = firstMatches(searched.hits, { limit: MAX_SHOWN, context: around });
    const spill = total <= MAX_SHOWN
      ? {}
      : await spillRows(searched.hits.map(row), Math.min(total, MAX_SPILLED), {
        store,
        name: `${callId}.txt`,
      });
    return { ok: true as const, hits: shown, total, stopped, unreadable, ...spill };
  },
  result: schema(z.union([hits, refusal])),
  render: (value) => [text(value.ok ? renderHits(value) : renderRefusal(value))],
});

function renderHits(value: z.infer<typeof hits>): string {
  const shown = value.hits.filter(({ kind }) => kind === "match").length;
  return renderFound(rowsOf(value.hits), value, { shown, nothing: "[no match]" });
}

/** Rows of matches, with `--` between parts of a file that do not touch where context is shown. */
function rowsOf(hits: readonly SearchHit[]): string {
  const context = hits.some(({ kind }) => kind === "context");
  return hits
    .map((hit, index) => {
      const before = hits[index - 1];
      const gap = before && (before.path !== hit.path || before.line + 1 !== hit.line);
      return (context && gap ? "--\n" : "") + row(hit);
    })
    .join("\n");
}

function row({ path, line, text, kind }: SearchHit): string {
  const sign = kind === "match" ? ":" : "-";
  return `${onOneLine(path)}${sign}${line}${sign}${text}`;
}
