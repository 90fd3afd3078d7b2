import * as z from "zod";
import { schema } from "./schema.ts";
import { childId, childValue, lookAtChild, noChild, renderChild } from "./subagent/value.ts";
import { defineTool, text } from "./tool.ts";

const value = z.discriminatedUnion("found", [
  childValue.extend({ found: z.literal(true) }),
  z.object({ found: z.literal(false), child_id: z.string() }),
]);

/** The tool `subagent_status`: what a sub-agent is at, and its result once it has one. */
export const subagentStatus = defineTool({
  name: "subagent_status",
  description: "Show what a sub-agent is at, or its result.",
  parameters: schema(z.strictObject({ child_id: childId })),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [] }),
  run({ child_id }, { children }): Promise<z.infer<typeof value>> {
    const child = children.find(child_id);
    return Promise.resolve(
      child ? { found: true, ...lookAtChild(child) } : { found: false, child_id },
    );
  },
  result: schema(value),
  render: (value) => [text(value.found ? renderChild(value) : noChild(value.child_id))],
});
