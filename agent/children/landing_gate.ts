import { subagentTool } from "../../tools/subagent.ts";
import type { Approver } from "../gate/approver.ts";
import { denyAll } from "../gate/approver.ts";
import type { GatePolicy } from "../gate/gate.ts";
import { type GateParts, type Passage, passGate } from "../gate/pass_gate.ts";
import { obeyedReason } from "../../sandbox/sweep/names.ts";
import type { Patch } from "../worktrees/worktree.ts";

/** What a task has, to let work of others into the workspace. */
export interface TaskGate extends GateParts {
  /** Awaited before the workspace changes. */
  readonly beforeChange?: (callId: string, signal: AbortSignal) => Promise<void>;
}

/** Whose patch it is, and where it is to go. */
export interface Landing {
  readonly childId: string;
  /** As a person is told of the child. */
  readonly by: string;
  readonly patch: Patch;
  /** Absolute. */
  readonly workspace: string;
}

/**
 * Takes a patch through the gate as what it is: writes to all of its paths, shown as their diff. A
 * person may say yes or no to the whole of it, and not change it.
 */
export async function passPatch(
  { childId, by, patch, workspace }: Landing,
  gate: TaskGate,
  approve: Approver,
  signal: AbortSignal,
): Promise<Exclude<Passage, { readonly kind: "edited" }>> {
  const tool = subagentTool([]);
  const callId = `${childId}/merge`;
  const args = { merge: childId, files: patch.files.map(({ path }) => path) };
  const passage = await passGate(
    {
      call: { callId, name: tool.name, arguments: JSON.stringify(args) },
      ...{ tool, args },
      plan: {
        touches: args.files.map((path) => ({ kind: "write", path: `${workspace}/${path}` })),
        preview: patch.text,
      },
    },
    {
      ...gate,
      policy: { ...gate.policy, ...byName(gate.policy, workspace) },
      approve: gate.policy.mode === "deny"
        ? denyAll
        : ({ editable: _, ...question }, withdrawn) =>
          approve(
            { ...question, by, ask: `Bring the work of ${by} into the workspace?` },
            withdrawn,
          ),
      // Whoever approves waits for the other questions already.
      inTurn: (ask) => ask(),
    },
    signal,
  );
  if (passage.kind !== "edited") return passage;
  return { kind: "refused", text: "Not run: it cannot be changed", approvalUnavailable: false };
}

/** A merge puts a file in the place of a link: the name counts, too, and not only where it leads. */
function byName({ obeyed }: GatePolicy, workspace: string): Pick<GatePolicy, "obeyed"> {
  return {
    obeyed: async (path) => obeyedReason(path.slice(workspace.length + 1)) ?? await obeyed?.(path),
  };
}
