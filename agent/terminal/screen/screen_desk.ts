import type { Desk, TaskRequest } from "../slash/desk.ts";
import type { Seat } from "../slash/seat.ts";
import type { Board } from "./board.ts";
import { ChoiceModal } from "./choice_modal.ts";
import { TextModal } from "./text_modal.ts";
import type { Work } from "./work.ts";

/** What the screen has to offer to a desk. */
export interface ScreenDeskParts {
  readonly seat: Seat;
  readonly board: Board;
  readonly work: Pick<Work<unknown>, "stoppable">;
  readonly submit: (request: TaskRequest) => Promise<void>;
  readonly leave: () => void;
}

/** What slash commands act on, at the screen. */
export function screenDesk({ seat, board, work, submit, leave }: ScreenDeskParts): Desk {
  const ask = (question: string) =>
    work.stoppable((signal) =>
      board.modals.ask<string | undefined>(
        (answer) => new TextModal(question, "", answer),
        undefined,
        signal,
      )
    );
  const choose: Desk["choose"] = (question, choices) =>
    work.stoppable((signal) =>
      board.modals.ask<number | undefined>(
        (answer) => new ChoiceModal(question, choices, answer),
        undefined,
        signal,
      )
    );
  return {
    ...{ seat, ask, choose, submit, leave },
    say: (text) => board.say(text),
    draw: (lines) => board.print(lines(board.view)),
    note: (line) => board.say(line, board.view.style.dim),
    sayMarkdown: (markdown) => board.sayMarkdown(markdown),
    warn: (line) => board.say(line, board.view.style.red),
    async confirm(question) {
      return await choose(question, [{ label: "No" }, { label: "Yes" }]) === 1;
    },
    async working(label, act) {
      using _busy = board.activities.begin(label);
      return await work.stoppable((signal) =>
        act(signal, (part) => board.activities.progress(part))
      );
    },
  };
}
