import * as z from "zod";
import { withNearestNames } from "./nearest_name.ts";
import { refusal, refusalValue, renderRefusal } from "./refusal.ts";
import { schema } from "./schema.ts";
import { type Found, found, numbered, renderFound, spillRows } from "./shown_part.ts";
import { defineTool, text } from "./tool.ts";

/** Paths shown at the most. */
const MAX_SHOWN = 200;

/** Paths in the spilled list at the most; more are counted only. */
const MAX_SPILLED = 10_000;

const paths = found.extend({
  ok: z.literal(true),
  pattern: z.string(),
  paths: z.array(z.string()),
});

export const glob = defineTool({
  name: "glob",
  description:
    'Find files by path, as "src/**/*.ts" ("**" crosses folders). Ignored and dot files are left out unless hidden is true.',
  parameters: schema(z.strictObject({
    pattern: z.string().min(1),
    path: z.string().default("."),
    hidden: z.boolean().optional(),
  })),
  needs: { read: ["workspace"], uses: ["store"] },
  callable: true,
  plan: ({ path }) => ({ touches: [{ kind: "read", path }] }),
  async run({ pattern, path, hidden = false }, { files, store, callId }) {
    const walked = await files.walk({ path, pattern, hidden, limit: MAX_SPILLED });
    if (!walked.ok) return refusalValue(await withNearestNames(files, walked));
    const shown = walked.paths.slice(0, MAX_SHOWN);
    const { total, stopped, unreadable } = walked;
    const spill = total <= MAX_SHOWN
      ? {}
      : await spillRows(walked.paths, walked.paths.length, { store, name: `${callId}.txt` });
    return { ok: true as const, pattern, paths: shown, total, stopped, unreadable, ...spill };
  },
  result: schema(z.union([paths, refusal])),
  render: (value) => [text(value.ok ? renderPaths(value) : renderRefusal(value))],
});

function renderPaths(value: Found & { pattern: string; paths: string[] }): string {
  const { pattern, paths } = value;
  const hint = pattern.includes("/") ? "" : `; in all folders: **/${pattern}`;
  return renderFound(numbered(paths), value, { shown: paths.length, nothing: `[no match${hint}]` });
}
