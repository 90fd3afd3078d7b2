import { type Decision, type Edited, type Question, SILENCE } from "../../gate/approver.ts";
import { approvalText, askingLine, choiceLines } from "../approval/approval_text.ts";
import { editableText } from "../approval/editable.ts";
import { answerText, replyToKey } from "../approval/reply.ts";
import { columnsOf, cutToWidth } from "../render/columns.ts";
import { wrapHanging } from "../render/hanging.ts";
import type { View } from "../render/view.ts";
import { keyName } from "./key_name.ts";
import type { Key } from "./keys.ts";
import type { Frame } from "./live_region.ts";
import type { Modal, Modals } from "./modal.ts";
import { TextModal } from "./text_modal.ts";

/** What a key made of a question. */
type Outcome = Decision | { readonly decision: "edit" } | { readonly decision: "unfold" };

/** What asking for approval takes; a board is one. */
export interface ApprovalAsking {
  readonly modals: Modals;
  readonly view: View;
  /** Writes lines that stay, apart from those before. */
  print(lines: readonly string[], apart: boolean): void;
}

/**
 * Asks whether a call may run. What it would do is printed, however long, so that it can be read and
 * scrolled; the keys that answer stand below.
 */
export async function askApproval(
  question: Question,
  asking: ApprovalAsking,
  signal: AbortSignal,
): Promise<Decision | Edited> {
  let full = false;
  const { modals } = asking;
  const show = () => asking.print(approvalText(question, asking.view, full).lines, true);
  show();
  while (!signal.aborted) {
    const { folded } = approvalText(question, asking.view, full);
    const outcome = await modals.ask<Outcome>(
      (answer) => new ApprovalModal(question, folded, answer),
      SILENCE,
      signal,
    );
    if (outcome.decision === "unfold") {
      full = true;
      show();
    } else if (outcome.decision === "edit") {
      const edited = await editArguments(question, modals, signal);
      if (edited) return edited;
    } else {
      const answer = answerText(outcome, question);
      if (answer !== undefined) asking.print([asking.view.style.dim(`  ${answer}`)], false);
      return outcome;
    }
  }
  return SILENCE;
}

/** Undefined where the person changed nothing, and is asked again. */
async function editArguments(
  question: Question,
  modals: Modals,
  signal: AbortSignal,
): Promise<Edited | undefined> {
  const { label, text, join } = editableText(question.arguments);
  const edited = await modals.ask<string | undefined>(
    (answer) => new TextModal(`Change ${label}; Enter asks again, Esc leaves it`, text, answer),
    undefined,
    signal,
  );
  if (edited === undefined || edited === text) return undefined;
  return { decision: "edit", by: "person", arguments: join(edited) };
}

/** The keys that answer; every other key changes nothing. */
class ApprovalModal implements Modal {
  readonly #question: Question;
  readonly #folded: boolean;
  readonly #answer: (outcome: Outcome) => void;

  constructor(question: Question, folded: boolean, answer: (outcome: Outcome) => void) {
    this.#question = question;
    this.#folded = folded;
    this.#answer = answer;
  }

  frame({ width, style }: View, most: number): Frame {
    const asking = cutToWidth(askingLine(this.#question).trimEnd(), width - 1, style.unicode);
    const choices = choiceLines(this.#question, style, this.#folded)
      .flatMap((line) => columnsOf(line) <= width ? [line] : wrapped(line, width))
      .slice(0, Math.max(0, most - 1));
    return {
      rows: [...choices, style.bold(asking)],
      cursor: { row: choices.length, column: Math.min(width - 1, columnsOf(asking) + 1) },
    };
  }

  press(key: Key): void {
    const reply = replyToKey(keyName(key), this.#question, this.#folded);
    switch (reply.kind) {
      case "decision":
        return this.#answer(reply.decision);
      case "edit":
      case "unfold":
        return this.#answer({ decision: reply.kind });
      case "unclear":
        return;
    }
  }
}

/** What an answer holds for is never cut off; a marked up line cannot be broken, so its markup goes. */
function wrapped(line: string, width: number): string[] {
  // deno-lint-ignore no-control-regex -- markup of ours
  return wrapHanging(line.replaceAll(/\x1b\[[0-9;]*m/g, ""), width);
}
