import type { Todo } from "../../../tools/todo_write.ts";
import type { Paint, Style } from "../style.ts";
import { drawable } from "./columns.ts";
import { wrapSpans } from "./spans.ts";
import { type View, widthOf } from "./view.ts";

/** A todo list, its items wrapped behind their marks. Pure. */
export function renderTodos(todos: readonly Todo[], view: View): string[] {
  return todos.flatMap((todo) => itemLines(todo, view));
}

/** How far a list is: `2 of 5 done`. */
export function todoProgress(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === "completed").length;
  return `${done} of ${todos.length} done`;
}

function itemLines({ content, status }: Todo, view: View): string[] {
  const { style } = view;
  const text = drawable(content).replaceAll(/\s+/g, " ").trim();
  const mark = markOf(status, style);
  const lines = wrapSpans([{ text, paint: paintOf(status, style) }], widthOf(view) - 4);
  return lines.map((line, index) => index === 0 ? `${mark} ${line}` : `    ${line}`);
}

function markOf(status: Todo["status"], style: Style): string {
  switch (status) {
    case "completed":
      return style.green("[x]");
    case "in_progress":
      return style.yellow("[~]");
    case "pending":
      return "[ ]";
  }
}

function paintOf(status: Todo["status"], style: Style): Paint | undefined {
  switch (status) {
    case "completed":
      return style.dim;
    case "in_progress":
      return style.bold;
    case "pending":
      return undefined;
  }
}
