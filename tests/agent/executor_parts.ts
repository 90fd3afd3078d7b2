import { ok } from "node:assert/strict";
import type { ExecutorParts } from "../../agent/calls/executor_parts.ts";
import type { Capabilities } from "../../agent/capabilities.ts";
import { nobody } from "../../agent/gate/approver.ts";
import type { GatePolicy } from "../../agent/gate/gate.ts";
import { questionQueue } from "../../agent/gate/in_turn.ts";
import { RepetitionWatch } from "../../agent/loop/repetition_watch.ts";

/** Nothing is confined, and of no command anything is known. */
export const UNCONFINED: GatePolicy = {
  mode: "on-escape",
  confined: false,
  judge: () => Promise.resolve({ kind: "other", reason: "unknown" }),
};

/** What calls are executed with where nobody can be asked, and no tool may break. */
export function executorParts(
  given: Pick<ExecutorParts, "tools" | "append" | "emit"> & Partial<ExecutorParts>,
): ExecutorParts {
  return {
    // For tools that declare no needs, so that nothing of it is ever handed out.
    capabilities: {} as Capabilities,
    policy: UNCONFINED,
    approve: nobody,
    inTurn: questionQueue(),
    rules: () => [],
    watch: new RepetitionWatch(),
    logError: (error) => ok(false, String(error)),
    ...given,
  };
}
