import * as z from "zod";
import { schema } from "./schema.ts";
import {
  childId,
  childValue,
  findChildren,
  lookAtChildren,
  noChild,
  renderChild,
} from "./subagent/value.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({ child_ids: z.array(childId).min(1) });

const value = z.object({ children: z.array(childValue), unknown: z.array(z.string()) });

/** The tool `subagent_cancel`: ends sub-agents, and what they started. */
export const subagentCancel = defineTool({
  name: "subagent_cancel",
  description: "End sub-agents. What they changed stays as it is.",
  parameters: schema(parameters),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [] }),
  async run({ child_ids }, { children }) {
    const { found, unknown } = findChildren(children, child_ids);
    await Promise.all(found.map((child) => child.cancel()));
    return { children: lookAtChildren(found), unknown };
  },
  result: schema(value),
  render: ({ children, unknown }) => [
    text([...children.map(renderChild), ...unknown.map(noChild)].join("\n\n")),
  ],
});
