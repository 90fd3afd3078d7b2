import * as z from "zod";
import { defineTool, text } from "./tool.ts";
import { schema } from "./schema.ts";

const todo = z.strictObject({
  content: z.string().min(1),
  status: z.enum(["pending", "in_progress", "completed"]),
});

/** One item of the todo list. */
export type Todo = z.infer<typeof todo>;

const MARKS: Readonly<Record<Todo["status"], string>> = {
  pending: " ",
  in_progress: "~",
  completed: "x",
};

/** The list as the model and the person read it, an item a line. */
export function renderTodos(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `- [${MARKS[status]}] ${content}`).join("\n");
}

/** Keeps the plan of a longer task; the list lives in the session's log and nowhere else. */
export const todoWrite = defineTool({
  name: "todo_write",
  description:
    "Replace the todo list. Use it for tasks of three steps or more; keep one item in_progress.",
  parameters: schema(z.strictObject({ todos: z.array(todo).max(100) })),
  needs: {},
  plan: () => ({ touches: [] }),
  run: ({ todos }) => Promise.resolve({ todos }),
  result: schema(z.object({ todos: z.array(todo) })),
  render({ todos }) {
    const count = `${todos.length} ${todos.length === 1 ? "item" : "items"}`;
    if (todos.length === 0) return [text("Todo list is empty now.")];
    return [text(`Todo list updated, ${count}:\n${renderTodos(todos)}`)];
  },
});
