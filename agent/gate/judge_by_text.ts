import type { Classification, Place } from "../shell/classification.ts";
import type { CommandJudge, Judgement } from "./judgement.ts";

/** How many judgements are kept: a call is judged for the gate and again for its order. */
const KEPT = 16;

/**
 * Judges commands by the shell classifier, which is loaded with the first of them. `place` is
 * asked each time, since the shell moves.
 */
export function judgeByText(place: () => Place): CommandJudge {
  const known = new Map<string, Judgement>();
  return async (command) => {
    const where = place();
    const key = JSON.stringify([where.cwd, command]);
    const before = known.get(key);
    if (before) return before;
    const { loadClassifier } = await import("../shell/classifier.ts");
    const judgement = judgementOf((await loadClassifier()).classify(command, where));
    known.set(key, judgement);
    for (const oldest of known.keys()) {
      if (known.size <= KEPT) break;
      known.delete(oldest);
    }
    return judgement;
  };
}

/** What the gate makes of a classification; text that cannot be read may do anything. */
export function judgementOf(classification: Classification): Judgement {
  const { decision, reason } = classification;
  switch (decision) {
    case "allow":
      return { kind: "read_only" };
    case "deny":
      return { kind: "forbidden", reason, saferWay: classification.saferWay };
    case "ask": {
      const destroys = classification.commands.find((fact) => fact.destructive !== undefined);
      if (destroys?.destructive) return { kind: "destructive", reason: destroys.destructive };
      if (classification.code === "syntax") return { kind: "destructive", reason };
      return { kind: "other", reason };
    }
  }
}
