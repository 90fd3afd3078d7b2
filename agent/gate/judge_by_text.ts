import type { Classification, Place } from "../shell/classification.ts";
import type { CommandJudge, Judgement } from "./judgement.ts";

/** How many judgements are kept: a call is judged for the gate and again for its order. */
const KEPT = 16;

/** What a command that replaces these files would lose for good, in words; undefined: nothing. */
export type LossCheck = (paths: readonly string[]) => Promise<string | undefined>;

/**
 * Judges commands by the shell classifier, which is loaded with the first of them. `place` is
 * asked each time, since the shell moves; `lossOf` looks at the files that a command would replace.
 */
export function judgeByText(place: () => Place, lossOf: LossCheck): CommandJudge {
  const known = new Map<string, Judgement>();
  return async (command) => {
    const where = place();
    const key = JSON.stringify([where.cwd, command]);
    const before = known.get(key);
    if (before) return before;
    const { loadClassifier } = await import("../shell/classifier.ts");
    const classifier = await loadClassifier();
    const classification = classifier.classify(command, where);
    const found = await withLoss(judgementOf(classification), classification, lossOf);
    const words = found.kind === "other" ? classifier.simpleWords(command) : undefined;
    const judgement = words === undefined ? found : { ...found, words };
    known.set(key, judgement);
    for (const oldest of known.keys()) {
      if (known.size <= KEPT) break;
      known.delete(oldest);
    }
    return judgement;
  };
}

async function withLoss(
  judgement: Judgement,
  { commands }: Classification,
  lossOf: LossCheck,
): Promise<Judgement> {
  const overwritten = commands.flatMap(({ overwrites }) => overwrites);
  if (judgement.kind !== "other" || overwritten.length === 0) return judgement;
  const loss = await lossOf(overwritten);
  return loss === undefined ? judgement : { kind: "destructive", reason: loss };
}

/** What the gate makes of a classification; text that cannot be read may do anything. */
export function judgementOf(classification: Classification): Judgement {
  const { decision } = classification;
  const reason = wordsOf(classification);
  switch (decision) {
    case "allow":
      return { kind: "read_only" };
    case "deny":
      return {
        kind: "forbidden",
        reason: `refused in every mode: ${reason}`,
        saferWay: classification.saferWay,
      };
    case "ask": {
      const destroys = classification.commands.find((fact) => fact.destructive !== undefined);
      if (destroys?.destructive) return { kind: "destructive", reason: destroys.destructive };
      if (classification.code === "syntax") return { kind: "destructive", reason };
      return { kind: "other", reason };
    }
  }
}

/** The reason as a person reads it: without the code before it, which is for programs. */
function wordsOf(classification: Classification): string {
  const { reason } = classification;
  const code = classification.decision === "allow" ? "" : `${classification.code}: `;
  return reason.startsWith(code) ? reason.slice(code.length) : reason;
}
