import * as z from "zod";
import { schema } from "./schema.ts";
import { childId, noChild } from "./subagent/value.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({ child_id: childId, text: z.string().min(1) });

const value = z.object({
  child_id: z.string(),
  /** Its question has its answer; it is told before its next request; or nothing could be said. */
  outcome: z.enum(["answered", "told", "ended", "unknown"]),
});

/** The tool `subagent_reply`: answers a sub-agent's question, or steers it while it works. */
export const subagentReply = defineTool({
  name: "subagent_reply",
  description: "Answer the question of a sub-agent, or tell it something while it works.",
  parameters: schema(parameters),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [] }),
  run: ({ child_id, text }, { children }): Promise<z.infer<typeof value>> =>
    Promise.resolve({ child_id, outcome: children.find(child_id)?.reply(text) ?? "unknown" }),
  result: schema(value),
  render: ({ child_id, outcome }) => [text(words(child_id, outcome))],
});

function words(id: string, outcome: z.infer<typeof value>["outcome"]): string {
  switch (outcome) {
    case "answered":
      return `[${id} has its answer and works on]`;
    case "told":
      return `[${id} will be told before its next step]`;
    case "ended":
      return `[not told: ${id} does not work]`;
    case "unknown":
      return noChild(id);
  }
}
