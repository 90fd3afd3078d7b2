import type { MachineFacts } from "./machine_facts.ts";
import { makeMountPoints } from "./private_folders.ts";
import { type ProbeAnswer, probeView } from "./probe.ts";
import { type Found, proofName, type Proven, type RememberedProofs } from "./remembered_proofs.ts";
import type { View, ViewAnswer } from "./view.ts";

/** A view that was proven by a run: of this start, or of an earlier one for the moment. */
export interface ProvenView {
  readonly ok: true;
  readonly view: View;
  readonly tier: "1" | "1b";
  /** Half a sentence, for a person. */
  readonly tierReason: string;
  /** The seccomp filter, for `createConfinedCommands`. */
  readonly filter: Uint8Array;
  /** Those of the wanted programs that the view shows. */
  readonly programs: readonly string[];
  readonly facts: MachineFacts;
  /**
   * Resolves when the view was proven in this start, to why it does not hold where it does not:
   * then its commands fail. Where nothing was remembered, it has been proven already.
   */
  readonly confirmed: Promise<string | undefined>;
}

/** Why there is no view, and what to do. */
export interface NoView {
  readonly ok: false;
  readonly reason: string;
  readonly fix: string;
}

/** What is proven, and where proofs are kept. */
export interface Proof extends Omit<Proven, "view"> {
  readonly facts: MachineFacts;
  /** Absent: every start waits for its own proof, as for the layout that confines less. */
  readonly memory?: RememberedProofs;
}

/** Makes what the view needs and runs it once; does not wait for the run where one is remembered. */
export async function proveView(
  answer: ViewAnswer,
  proof: Proof,
): Promise<ProvenView | NoView & { readonly procOnly?: true }> {
  if (!answer.ok) return answer;
  const { view } = answer;
  const { facts, memory } = proof;
  const files = facts.present.filter(({ folder }) => !folder).map(({ path }) => path);
  await makeMountPoints(view.points, (target) => !files.includes(target));
  const name = memory && await proofName({ ...proof, view });
  const found = name === undefined ? undefined : await memory?.recall(name);
  const run = () => probeAndRemember(view, proof, name, found);
  if (found) return opened(view, proof, found, run().then(whyNot));
  const probe = await run();
  return probe.ok ? opened(view, proof, probe, Promise.resolve(undefined)) : probe;
}

/** The proof itself. What was remembered and is otherwise now is written anew, or forgotten. */
async function probeAndRemember(
  view: View,
  { filter, programs, memory }: Proof,
  name: string | undefined,
  before: Found | undefined,
): Promise<ProbeAnswer> {
  const probe = await probeView(view, filter, programs);
  if (!memory || name === undefined) return probe;
  if (!probe.ok) await memory.forget(name);
  else if (!before || !isSame(probe, before)) await memory.remember(name, probe);
  return probe;
}

function isSame(one: Found, other: Found): boolean {
  return one.workspaceWritable === other.workspaceWritable &&
    one.programs.join("\0") === other.programs.join("\0");
}

function whyNot(probe: ProbeAnswer): string | undefined {
  return probe.ok ? undefined : `${probe.reason}. ${probe.fix}`;
}

function opened(
  view: View,
  { filter, facts }: Proof,
  found: Found,
  confirmed: Promise<string | undefined>,
): ProvenView {
  const [tier, tierReason] = view.freshProcesses
    ? ["1", "bubblewrap"] as const
    : ["1b", "bubblewrap, with the processes of the outer sandbox in sight"] as const;
  return {
    ...{ ok: true, tier, tierReason, filter, facts, confirmed },
    view: { ...view, warnings: [...view.warnings, ...shortcomings(view, found)] },
    programs: found.programs,
  };
}

/** What the probe found wanting, as sentences for a person. */
function shortcomings(
  { profile, workspace }: View,
  { workspaceWritable }: Found,
): string[] {
  return [
    ...(profile === "plan" || workspaceWritable
      ? []
      : [`The workspace ${JSON.stringify(workspace)} can only be read`]),
  ];
}
