import type { PersonQuestion } from "../../../tools/tool.ts";
import { answerOf, questionLines } from "../approval/ask_person.ts";
import type { Board } from "./board.ts";
import { TextModal } from "./text_modal.ts";

/** Asks a question of the model: it is printed, and answered by a line below. */
export async function askPerson(
  question: PersonQuestion,
  board: Board,
  signal: AbortSignal,
): Promise<string | undefined> {
  board.say(`\n${questionLines(question).join("\n")}`, board.view.style.bold);
  const line = await board.modals.ask<string | undefined>(
    (answer) => new TextModal("Your answer; Esc gives none", "", answer),
    undefined,
    signal,
  );
  return line === undefined ? undefined : answerOf(line, question);
}
