import type { Called, Calls, Tool } from "../../tools/tool.ts";
import type { ToolCall } from "../messages.ts";
import type { CallOutcome } from "../session/convert.ts";

/**
 * The calls that one call of the model may make itself. They have ids of their own, as `call_1/2`,
 * under which log and screen tell of them; to the model only the outer call is answered.
 */
export function innerCalls(
  outerId: string,
  tools: readonly Tool[],
  run: (call: ToolCall) => Promise<CallOutcome>,
): Calls {
  const callable = tools.filter((tool) => tool.callable);
  let count = 0;
  return {
    tools: callable,
    async call(name, args): Promise<Called> {
      if (!callable.some((tool) => tool.name === name)) {
        return { ok: false, problem: `Cannot call "${name}": it is no function` };
      }
      const callId = `${outerId}/${++count}`;
      const outcome = await run({ callId, name, arguments: JSON.stringify(args) });
      // Without a value it did not come to an end: it failed, was refused or interrupted.
      return !outcome.isError && outcome.value !== undefined
        ? { ok: true, value: outcome.value }
        : { ok: false, problem: problemOf(outcome) };
    },
  };
}

function problemOf({ content }: CallOutcome): string {
  const texts = content.flatMap((part) => part.type === "text" ? [part.text] : []);
  return texts.join("\n").replace(/^Error: /, "");
}
