import {
  egressDecision,
  type EgressRefusal,
  type EgressRules,
  type Target,
  unlisted,
} from "./rules.ts";

/** What a person is asked before something leaves. */
export type EgressQuestion =
  | { readonly kind: "host"; readonly host: string; readonly port: number }
  /** More was sent than agreed; yes agrees to as much again. */
  | { readonly kind: "upload_budget"; readonly host: string; readonly bytesUp: number };

/** Asks a person; false also where nobody can be asked. */
export type AskEgress = (question: EgressQuestion) => Promise<boolean>;

/** Whether a target may be reached, persons' answers included. */
export type Permission =
  | { readonly ok: true; readonly target: Target }
  | {
    readonly ok: false;
    readonly reason: EgressRefusal;
    readonly message: string;
    readonly target: Target;
  };

/** Judges targets, remembers the answers, and counts what went up. */
export interface EgressGate {
  permit(target: Target): Promise<Permission>;
  /** Counts payload bytes sent, whoever sent them. */
  countUp(bytes: number): void;
  /** Asks anew from here on; bytes that were agreed to stay so. */
  forgetAnswers(): void;
}

/** What a gate is made of. */
export interface EgressGateOptions {
  readonly rules: EgressRules;
  /** Nobody can be asked without it. */
  readonly ask?: AskEgress;
  /**
   * Bytes that may be sent before a person is asked again (default
   * {@linkcode DEFAULT_UPLOAD_BUDGET}); a connection that is open is never cut by it.
   */
  readonly uploadBudgetBytes?: number;
}

/** A push of a repository fits, a home folder does not; in bytes. */
export const DEFAULT_UPLOAD_BUDGET = 64 * 1024 * 1024;

/** One gate serves the proxy and the capability of a session, so that both share what was agreed. */
export function egressGate(options: EgressGateOptions): EgressGate {
  const { rules, ask, uploadBudgetBytes = DEFAULT_UPLOAD_BUDGET } = options;
  const answers = new Map<string, Promise<boolean>>();
  let bytesUp = 0;
  let agreedBytes = uploadBudgetBytes;
  let more: Promise<boolean> | undefined;

  /** One question a host and port, also for connections that come at once. */
  function answerFor({ host, port }: Target): Promise<boolean> {
    const key = `${host}:${port}`;
    const known = answers.get(key);
    if (known) return known;
    const answer = ask?.({ kind: "host", host, port }) ?? Promise.resolve(false);
    answers.set(key, answer);
    // A question that failed was not answered.
    answer.catch(() => answers.delete(key));
    return answer;
  }

  async function mayGoOn(host: string): Promise<boolean> {
    if (bytesUp <= agreedBytes) return true;
    more ??= ask?.({ kind: "upload_budget", host, bytesUp }) ?? Promise.resolve(false);
    // A no stands for the session, a yes for one budget.
    if (!await more) return false;
    more = undefined;
    agreedBytes = Math.max(agreedBytes, bytesUp + uploadBudgetBytes);
    return true;
  }

  return {
    async permit(asked) {
      const verdict = egressDecision(asked, rules);
      if (verdict.decision === "refuse") return refused(verdict, asked);
      const { target } = verdict;
      if (verdict.decision === "ask" && !await answerFor(target)) {
        return refused(unlisted(target), target);
      }
      if (!await mayGoOn(target.host)) {
        const message =
          `Cannot reach "${target.host}:${target.port}": this session has sent ${bytesUp} bytes, more than agreed`;
        return refused({ reason: "upload_budget", message }, target);
      }
      return { ok: true, target };
    },
    countUp(bytes) {
      bytesUp += bytes;
    },
    forgetAnswers() {
      answers.clear();
      more = undefined;
    },
  };
}

function refused(
  { reason, message }: { readonly reason: EgressRefusal; readonly message: string },
  target: Target,
): Permission {
  return { ok: false, reason, message, target };
}
