import type { Approver, Decision, Edited, Question } from "../../gate/approver.ts";
import { SILENCE } from "../../gate/approver.ts";
import type { View } from "../render/view.ts";
import type { Style } from "../style.ts";
import type { ReadLine } from "../read_line.ts";
import { approvalText, askingLine, choiceLines } from "./approval_text.ts";
import { editableText } from "./editable.ts";
import { replyToLine } from "./reply.ts";

/** Lets a person change a text; undefined where they gave it up, or changed nothing. */
export type EditText = (
  text: string,
  label: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** What asking by lines takes. */
export interface LineAsking {
  readonly readLine: ReadLine;
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Of the terminal, in columns. */
  readonly width: () => number;
  readonly edit: EditText;
}

/** Asks at the terminal, by a line that is typed; the default is no. */
export function askByLine(asking: LineAsking): Approver {
  return async (question, signal) => {
    let full = false;
    show(question, full, asking);
    while (!signal.aborted) {
      const text = approvalText(question, viewOf(asking), full);
      const line = await asking.readLine(askingLine(question), signal, {
        aside: true,
        fresh: true,
      });
      const reply = replyToLine(line, question, text.folded);
      switch (reply.kind) {
        case "decision":
          return reply.decision;
        case "edit": {
          const answer = await editArguments(question, asking, signal);
          if (answer) return answer;
          break;
        }
        case "unfold":
          full = true;
          show(question, full, asking);
          break;
        case "unclear":
          asking.write("Answer with one of the letters above, or Enter for no\n");
      }
    }
    return SILENCE;
  };
}

function viewOf({ style, width }: LineAsking): View {
  return { style, width: width() };
}

function show(question: Question, full: boolean, asking: LineAsking): void {
  const { lines, folded } = approvalText(question, viewOf(asking), full);
  const choices = choiceLines(question, asking.style, folded);
  asking.write(`${[...lines, ...choices].join("\n")}\n`);
}

/** Undefined where the person changed nothing, and is asked again. */
async function editArguments(
  question: Question,
  { edit }: LineAsking,
  signal: AbortSignal,
): Promise<Decision | Edited | undefined> {
  const { label, text, join } = editableText(question.arguments);
  const edited = await edit(text, label, signal);
  if (edited === undefined || edited === text) return undefined;
  return { decision: "edit", by: "person", arguments: join(edited) };
}
