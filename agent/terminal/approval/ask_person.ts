import type { Person, PersonQuestion } from "../../../tools/tool.ts";
import type { ReadLine } from "../read_line.ts";
import { visible, visibleLine } from "../visible.ts";

/** A question of the model as a person reads it, its options numbered. */
export function questionLines(
  { question, options = [], default: fallback }: PersonQuestion,
): string[] {
  return [
    ...visible(question).split("\n"),
    ...options.map((option, i) => `  ${i + 1} ${visibleLine(option)}`),
    ...(fallback === undefined ? [] : [`  Enter: ${visibleLine(fallback)}`]),
  ];
}

/**
 * What a typed line answers: the number of an option is the option, nothing is the default, all else
 * is said as it stands. Undefined where it says nothing.
 */
export function answerOf(
  line: string,
  { options = [], default: fallback }: PersonQuestion,
): string | undefined {
  const typed = line.trim();
  if (typed === "") return fallback;
  const option = /^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined;
  return option ?? typed;
}

/** Asks the model's questions at the terminal, by a line that is typed. */
export function personByLine(readLine: ReadLine, write: (text: string) => void): Person {
  return {
    async ask(question, signal) {
      write(`${questionLines(question).join("\n")}\n`);
      const line = await readLine("? ", signal, { aside: true });
      return line === undefined ? undefined : answerOf(line, question);
    },
  };
}
