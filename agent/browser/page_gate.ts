import { BROWSER_OWN_HOSTS } from "../../sandbox/browser/chromium.ts";
import type { EgressGate, Permission } from "../../sandbox/egress/permission.ts";
import {
  egressDecision,
  type EgressRules,
  type Target,
  unlisted,
} from "../../sandbox/egress/rules.ts";

/** A page may load from dozens of hosts; nobody wants to be asked for all of them. */
export const MAX_QUESTIONS = 6;

/** A gate for what pages load: it asks for few hosts at a time, and for none that is the browser's. */
export interface PageGate extends EgressGate {
  /** As many hosts may be asked for anew. */
  beginStep(): void;
}

/** Joins the session's gate, whose answers hold here too. */
export function pageGate(gate: EgressGate, rules: EgressRules): PageGate {
  let asked = new Set<string>();
  function refuse(target: Target): Permission {
    const { reason, message } = unlisted(target);
    return { ok: false, reason, message, target };
  }
  return {
    async permit(target) {
      if (isOwnHost(target.host)) return refuse(target);
      const asks = egressDecision(target, rules).decision === "ask";
      const name = `${target.host}:${target.port}`;
      if (asks && !asked.has(name) && asked.size >= MAX_QUESTIONS) return refuse(target);
      if (asks) asked.add(name);
      return await gate.permit(target);
    },
    countUp: (bytes) => gate.countUp(bytes),
    forgetAnswers: () => gate.forgetAnswers(),
    beginStep() {
      asked = new Set();
    },
  };
}

/** Whether a browser asks for it by itself, whatever it is told. */
export function isOwnHost(host: string): boolean {
  return BROWSER_OWN_HOSTS.includes(host.toLowerCase());
}
