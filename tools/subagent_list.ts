import * as z from "zod";
import { schema } from "./schema.ts";
import { childLine, childRow, childValue } from "./subagent/value.ts";
import { defineTool, text } from "./tool.ts";

const value = z.object({
  children: z.array(childValue),
  roles: z.array(z.object({ name: z.string(), description: z.string() })),
});

/** The tool `subagent_list`: every sub-agent of the session, and what others could be. */
export const subagentList = defineTool({
  name: "subagent_list",
  description: "List your sub-agents, and the roles that there are.",
  parameters: schema(z.strictObject({})),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [] }),
  run: (_, { children }) =>
    Promise.resolve({
      children: children.list().map(childRow),
      roles: children.roles.map(({ name, description }) => ({ name, description })),
    }),
  result: schema(value),
  render: ({ children, roles }) => [
    text([
      children.length === 0 ? "[no sub-agents]" : children.map(childLine).join("\n"),
      `Roles: ${roles.map(({ name }) => name).join(", ")}`,
    ].join("\n")),
  ],
});
