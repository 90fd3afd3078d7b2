import { schema } from "../../tools/schema.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import { type ForeignResult, foreignResult, renderResult, resultValue } from "./result.ts";
import type { ServerLink } from "./server_link.ts";
import type { ForeignToolInfo } from "./tool_list.ts";

/** What a foreign tool works with. */
export interface ForeignToolParts {
  readonly link: ServerLink;
  /** Whether the person said in their own file that no yes is needed. */
  readonly allowed: boolean;
}

const result = schema(foreignResult);

/**
 * A server's tool as one of ours. What the server says of its own harmlessness plays no part: the gate
 * is told that it is foreign.
 */
export function foreignTool(info: ForeignToolInfo, { link, allowed }: ForeignToolParts): Tool {
  const { name, server, description, parameters } = info;
  return defineTool({
    name,
    description,
    parameters,
    needs: { uses: ["store", "pictures"] },
    plan: () => ({
      touches: [{ kind: "foreign", server, tool: info.listed.name, allowed }],
    }),
    async run(args, { store, pictures, signal, callId, progress }): Promise<ForeignResult> {
      const answer = await link.call(info.listed, args, { signal, progress });
      const places = { store, pictures, signal, name: `${callId}.txt` };
      const value = await resultValue(server, answer, places);
      return { ...value, notes: [...value.notes, ...mismatch(info, answer.structuredContent)] };
    },
    result,
    render: renderResult,
  });
}

/** What keeps a structured result from being what the tool promised. */
function mismatch({ result }: ForeignToolInfo, structured: unknown): string[] {
  if (!result) return [];
  if (structured === undefined) return ["it promised a structured result, and sent none"];
  const parsed = result.parse(structured);
  if (parsed.ok) return [];
  return [
    `the structured result does not fit the tool's own schema: ${parsed.problems.join("; ")}`,
  ];
}
