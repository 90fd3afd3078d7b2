import { type Decision, type Question, SILENCE } from "../../gate/approver.ts";

/** What a person's key or line means. */
export type Reply =
  | { readonly kind: "decision"; readonly decision: Decision }
  /** They want to change the arguments. */
  | { readonly kind: "edit" }
  /** They want to see what was folded. */
  | { readonly kind: "unfold" }
  /** It is no answer: the question stands. */
  | { readonly kind: "unclear" };

/** An answer that can be given, and what it means for this question. */
export interface Choice {
  /** The key, and the line of that letter. */
  readonly key: string;
  /** The line in full. */
  readonly word: string;
  readonly meaning: string;
}

/** What may be answered, the default among them; what makes no sense for the question is not there. */
export function choicesOf(question: Question, folded = false): Choice[] {
  const [narrow, wide] = question.offers ?? [];
  return [
    { key: "y", word: "yes", meaning: `yes, ${question.once ?? "this once"}` },
    ...(narrow ? [{ key: "s", word: "session", meaning: `yes, ${narrow.what} this session` }] : []),
    ...(wide ? [{ key: "p", word: "prefix", meaning: `yes, ${wide.what} this session` }] : []),
    { key: "n", word: "no", meaning: "no (also Enter)" },
    ...(narrow ? [{ key: "v", word: "never", meaning: `never, ${narrow.what} this session` }] : []),
    ...(question.editable ? [{ key: "e", word: "edit", meaning: "edit, then ask again" }] : []),
    ...(folded ? [{ key: "f", word: "full", meaning: "show all of it" }] : []),
  ];
}

/**
 * What a key means; `key` is the character that was typed, or the key's name. Enter, Esc and the
 * keys that interrupt are a no, every other key that is no answer changes nothing.
 */
export function replyToKey(key: string, question: Question, folded = false): Reply {
  switch (key) {
    case "enter":
    case "escape":
    case "N":
      return no();
    case "ctrl+c":
    case "ctrl+d":
      return { kind: "decision", decision: SILENCE };
    default: {
      const choice = choicesOf(question, folded).find((choice) => choice.key === key);
      return choice ? replyOf(choice) : { kind: "unclear" };
    }
  }
}

/**
 * What a line means; undefined: the input ended. A no may go on with what the model should know:
 * `n use pnpm`, and so may a line that is no answer at all, unless it begins like a yes.
 */
export function replyToLine(
  line: string | undefined,
  question: Question,
  folded = false,
): Reply {
  if (line === undefined) return { kind: "decision", decision: SILENCE };
  const typed = line.trim();
  if (typed === "") return no();
  const [, first = "", rest = ""] = /^([^\s,.:;]+)[\s,.:;]*(.*)$/s.exec(typed) ?? [];
  const choice = choicesOf(question, folded).find(({ key, word }) =>
    first.toLowerCase() === key || first.toLowerCase() === word
  );
  if (!choice) return no(typed);
  if (choice.key === "n") return no(rest);
  if (choice.key === "v") return withRemark(replyOf(choice), rest);
  return rest === "" ? replyOf(choice) : { kind: "unclear" };
}

/** What was answered, as the person chose it; undefined for a plain no, which the call itself tells. */
export function answerText({ decision, offer }: Decision, question: Question): string | undefined {
  const key = decision === "allow" ? ["s", "p"][offer ?? -1] ?? "y" : offer === 0 ? "v" : undefined;
  return choicesOf(question).find((choice) => choice.key === key)?.meaning;
}

function replyOf({ key }: Choice): Reply {
  switch (key) {
    case "y":
      return decided({ decision: "allow", by: "person" });
    case "s":
      return decided({ decision: "allow", by: "person", offer: 0 });
    case "p":
      return decided({ decision: "allow", by: "person", offer: 1 });
    case "v":
      return decided({ decision: "deny", by: "person", offer: 0 });
    case "e":
      return { kind: "edit" };
    case "f":
      return { kind: "unfold" };
    default:
      return no();
  }
}

function decided(decision: Decision): Reply {
  return { kind: "decision", decision };
}

function no(remark = ""): Reply {
  return withRemark(decided({ decision: "deny", by: "person" }), remark);
}

function withRemark(reply: Reply, remark: string): Reply {
  if (remark === "" || reply.kind !== "decision") return reply;
  return decided({ ...reply.decision, remark });
}
