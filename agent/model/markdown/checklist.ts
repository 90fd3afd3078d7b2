/** Items of a list, or the line that is none. */
export type ReadChecklist =
  | { readonly ok: true; readonly todos: readonly { content: string; status: string }[] }
  | { readonly ok: false; readonly line: string };

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX~])\]\s+(\S.*?)\s*$/;

/** Reads a todo list as it is shown: `- [ ] pending`, `- [~] in progress`, `- [x] completed`. */
export function readChecklist(body: string): ReadChecklist {
  const todos = [];
  for (const line of body.split("\n").filter((line) => line.trim() !== "")) {
    const [, mark = "", content] = ITEM.exec(line) ?? [];
    if (content === undefined) return { ok: false, line: line.trim() };
    todos.push({ content, status: statusOf(mark) });
  }
  return { ok: true, todos };
}

function statusOf(mark: string): string {
  if (mark === " ") return "pending";
  return mark === "~" ? "in_progress" : "completed";
}
