import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type Todo, todoWrite } from "../../tools/todo_write.ts";
import type { CallEnd } from "./call_updates.ts";

/** The plan that a call of `todo_write` made; undefined where it made none. Pure. */
export function planOf({ is_error, value }: CallEnd): SessionUpdate | undefined {
  const parsed = is_error ? undefined : todoWrite.result.parse(value);
  return parsed?.ok ? planUpdate(parsed.value.todos) : undefined;
}

/** A todo list knows no priorities. */
function planUpdate(todos: readonly Todo[]): SessionUpdate {
  const entries = todos.map(({ content, status }) => ({
    ...{ content, status },
    priority: "medium" as const,
  }));
  return { sessionUpdate: "plan", entries };
}
