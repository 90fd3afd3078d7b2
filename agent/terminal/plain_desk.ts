import { type Output, type OutputStreams, printable, stripControls } from "./output.ts";
import type { ReadLine } from "./read_line.ts";
import type { Choice, Desk } from "./slash/desk.ts";
import type { View } from "./render/view.ts";
import type { Seat } from "./slash/seat.ts";

/** What plain lines have to offer to a desk. */
export interface PlainDeskParts {
  readonly seat: Seat;
  readonly output: Output;
  readonly streams: OutputStreams;
  readonly readLine: ReadLine;
  /** What lines are drawn for now. */
  readonly view: () => View;
  /** Does something that Ctrl-C stops. */
  busy<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T>;
  readonly submit: Desk["submit"];
  readonly leave: Desk["leave"];
}

/** A desk of lines: what is said goes to stderr, what is asked is answered by a line. */
export function plainDesk(parts: PlainDeskParts): Desk {
  const { seat, output, readLine, busy, submit, leave } = parts;
  const say = (text: string) =>
    parts.streams.stderr.write(`${stripControls(text).replace(/\n+$/, "")}\n`);
  const ask = (question: string) =>
    busy((signal) => readLine(`${printable(question)} `, signal, { aside: true }));
  return {
    ...{ seat, say, submit, leave, ask },
    sayMarkdown: say,
    draw: (lines) => parts.streams.stderr.write(lines(parts.view()).map((l) => `${l}\n`).join("")),
    note: (line) => output.note(line),
    warn: (line) => line.includes("\n") ? say(line) : output.alarm(line),
    async confirm(question) {
      const answer = await ask(`${question} [y/N]`);
      return /^(y|yes)$/i.test(answer?.trim() ?? "");
    },
    async choose(question, choices) {
      say(choices.map(choiceLine).join("\n"));
      const answer = await ask(`${question} [1-${choices.length}]`);
      const number = /^\d{1,6}$/.test(answer?.trim() ?? "") ? Number(answer) : 0;
      return number >= 1 && number <= choices.length ? number - 1 : undefined;
    },
    working(label, act) {
      output.note(label);
      return busy((signal) => act(signal, () => {}));
    },
  };
}

function choiceLine({ label, description }: Choice, index: number): string {
  const more = description === undefined ? "" : `  ${printable(description)}`;
  return `  ${index + 1}. ${printable(label)}${more}`;
}
