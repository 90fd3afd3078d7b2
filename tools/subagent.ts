import * as z from "zod";
import { schema } from "./schema.ts";
import type { RoleFacts } from "./subagent/children.ts";
import { limitShape, requestOf, rolesText, taskShape } from "./subagent/request.ts";
import { childLine, childRow, childValue } from "./subagent/value.ts";
import { defineTool, text } from "./tool.ts";
import { ToolError } from "./tool_error.ts";

/** The tool `subagent`: gives a task to another agent, which works beside this one. */
export function subagentTool(roles: readonly RoleFacts[]) {
  return defineTool({
    name: "subagent",
    description: "Start a sub-agent on a task of its own and go on at once. Its end or question " +
      `is told to you. worktree: in a copy, merged back when it succeeds. ${rolesText(roles)}`,
    parameters: schema(z.strictObject({ ...taskShape, ...limitShape })),
    needs: { uses: ["children"] },
    plan: () => ({ touches: [{ kind: "child" }] }),
    async run(args, { children }) {
      const started = await children.start(requestOf(args, true));
      if (!started.ok) throw new ToolError(started.problem);
      return childRow(started.child);
    },
    result: schema(childValue),
    render: (value) => [text(`[started] ${childLine(value)}`)],
  });
}
