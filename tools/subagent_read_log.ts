import * as z from "zod";
import { schema } from "./schema.ts";
import { childId, noChild } from "./subagent/value.ts";
import { excerptOf, MAX_LINES, MAX_WINDOW_BYTES, renderExcerpt } from "./text_window.ts";
import { defineTool, type Infer, text } from "./tool.ts";

const parameters = z.strictObject({
  child_id: childId,
  offset: z.number().min(1).default(1).transform(Math.floor),
  limit: z.number().min(1).max(MAX_LINES).default(MAX_LINES).transform(Math.floor),
});

const value = z.discriminatedUnion("found", [
  z.object({
    found: z.literal(true),
    child_id: z.string(),
    offset: z.number(),
    lines: z.number(),
    total_lines: z.number(),
    truncated: z.boolean(),
    text: z.string(),
    cut_lines: z.number(),
  }),
  z.object({ found: z.literal(false), child_id: z.string() }),
]);

/** The tool `subagent_read_log`: all that a sub-agent said, called and got. */
export const subagentReadLog = defineTool({
  name: "subagent_read_log",
  description: "Read what a sub-agent said and did so far.",
  parameters: schema(parameters),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [] }),
  async run({ child_id, offset, limit }, { children }): Promise<Infer<typeof value>> {
    const child = children.find(child_id);
    if (!child) return { found: false, child_id };
    const log = await child.log();
    const excerpt = excerptOf(log, { offset, limit, maxBytes: MAX_WINDOW_BYTES });
    return { found: true, child_id, ...excerpt };
  },
  result: schema(value),
  render(value) {
    if (!value.found) return [text(noChild(value.child_id))];
    return [text(value.total_lines === 0 ? "[nothing to read]" : renderExcerpt(value))];
  },
});
