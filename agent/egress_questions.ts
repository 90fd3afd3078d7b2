import type { AskEgress, EgressQuestion } from "../sandbox/egress/permission.ts";
import { type Approver, type Question, SILENCE } from "./gate/approver.ts";
import type { InTurn } from "./gate/in_turn.ts";
import { offersFor } from "./gate/offers.ts";
import { type Deed, newRules, type Rule, ruleFor } from "./gate/rules.ts";
import type { NewRecord } from "./session/records.ts";

/** What questions of the network need: they come while other things are asked, and of many at once. */
export interface EgressQuestions {
  readonly approve: Approver;
  /** Lets questions wait for each other. */
  readonly inTurn: InTurn;
  /** What persons said for the session, as its log has it now. */
  readonly rules: () => readonly Rule[];
  readonly append: (record: NewRecord) => Promise<unknown>;
}

/** Asks a person while something works, and only then. */
export interface EgressAsking {
  readonly ask: AskEgress;
  /**
   * Something works from now on, until this is disposed; questions are withdrawn when the signal is
   * raised. `forget` is called where the first work begins and where the last one has ended.
   */
  begin(signal: AbortSignal, forget: () => void): Disposable;
}

/** Puts questions of the network to a person, and keeps what holds for the session. */
export function askWhileWorking(questions: EgressQuestions): EgressAsking {
  let working = 0;
  let open = new AbortController();
  function withdraw(): void {
    open.abort();
    open = new AbortController();
  }
  return {
    begin(signal, forget) {
      // What was refused while nobody looked is no answer.
      if (working++ === 0) forget();
      signal.addEventListener("abort", withdraw);
      return {
        [Symbol.dispose]() {
          signal.removeEventListener("abort", withdraw);
          if (--working > 0) return;
          forget();
          withdraw();
        },
      };
    },
    ask: async (question) => working > 0 && await isAllowed(question, questions, open.signal),
  };
}

async function isAllowed(
  asked: EgressQuestion,
  { approve, inTurn, rules, append }: EgressQuestions,
  signal: AbortSignal,
): Promise<boolean> {
  const deed: Deed | undefined = asked.kind === "host" ? asked : undefined;
  const known = deed && ruleFor(rules(), deed, true)?.decision;
  if (known) return known === "allow";
  const offers = offersFor([deed]);
  const question: Question = {
    callId: "",
    tool: "network",
    arguments: JSON.stringify(asked),
    reason: reasonOf(asked),
    ...(offers.length > 0 && { offers, once: "until this task ends" }),
  };
  const answer = await inTurn(() => approve(question, signal), () => SILENCE, signal);
  const offer = answer.decision === "edit" || answer.offer === undefined
    ? undefined
    : offers[answer.offer];
  if (offer && (answer.decision === "allow" || answer.decision === "deny")) {
    const { decision, by } = answer;
    // Where hosts are reached from changes nothing of who they are.
    const made = newRules(decision, offer.bindings, false);
    await append({ type: "approval", call_id: "", decision, by, scope: "session", rules: made });
  }
  return answer.decision === "allow";
}

function reasonOf(question: EgressQuestion): string {
  switch (question.kind) {
    case "host":
      return `something wants to reach ${question.host}:${question.port}, which was not granted`;
    case "upload_budget":
      return `${Math.round(question.bytesUp / 2 ** 20)} MB went up, now to ${question.host}`;
  }
}
