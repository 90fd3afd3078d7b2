import type { Environment } from "../commands/environment.ts";
import { forwarderInView } from "./forwarder_in_view.ts";
import type { MachineFacts } from "./machine_facts.ts";
import { makeMountPoints, makePrivateFolders, writeIdentity } from "./private_folders.ts";
import { type ProbeAnswer, probeView, surveyMachine } from "./probe.ts";
import { seccompFilter } from "./seccomp.ts";
import type { Architecture } from "./system_calls.ts";
import { toolchainFolders } from "./toolchains.ts";
import { SYSTEM_PATH } from "./view_places.ts";
import {
  layOutView,
  privateFolders,
  type View,
  type ViewAnswer,
  type ViewProfile,
  wantedPaths,
} from "./view.ts";

export interface OpenViewOptions {
  readonly profile: ViewProfile;
  readonly places: {
    readonly workspace: string;
    /** Must be there, and be readable and writable for this process. */
    readonly state: string;
    /** The session's folder with spilled output; undefined where none is kept. */
    readonly sessionFolder?: string | undefined;
    readonly home?: string | undefined;
  };
  /** Names the private folders of the session; letters, digits, `-` and `_`. */
  readonly session: string;
  /** The fixed environment of commands (`environment.ts`). */
  readonly environment: Environment;
  readonly extraRead?: readonly string[];
  readonly extraWrite?: readonly string[];
  /** Whether known dependency caches are shown, read-only. */
  readonly caches?: boolean;
  /** Git stores outside the workspace that a person agreed to. */
  readonly stores?: readonly string[];
  /** The host's socket of the egress proxy; there when commands run. */
  readonly proxySocket?: string | undefined;
  /** Where bubblewrap and bash are; default {@linkcode SYSTEM_PATH}. */
  readonly searchPath?: string;
  /** Programs to look for in the view. */
  readonly programs?: readonly string[];
}

export type OpenedView =
  | {
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
  }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

const ARCHITECTURES: readonly string[] = ["x86_64", "aarch64"] satisfies Architecture[];

/**
 * Looks around on this machine, lays out the view of a session and proves it by one run; or says
 * why there is none, and what to do. Needs to run bubblewrap, and the state folder.
 */
export async function openView(options: OpenViewOptions): Promise<OpenedView> {
  const architecture = Deno.build.arch;
  if (Deno.build.os !== "linux" || !isArchitecture(architecture)) {
    return {
      ok: false,
      reason: `there is no kernel view on ${Deno.build.os} ${architecture}`,
      fix: "Use Linux on x86-64 or arm64",
    };
  }
  const filter = seccompFilter(architecture);
  const toolchains = toolchainsOf(options);
  const { extraRead = [], extraWrite = [], searchPath = SYSTEM_PATH } = options;
  const folders = privateFolders(options.places.state, options.session);
  await makePrivateFolders(folders);
  const survey = await surveyMachine({
    workspace: options.places.workspace,
    home: options.places.home,
    state: options.places.state,
    wanted: wantedPaths({ toolchains, extraRead, extraWrite }),
    writable: extraWrite,
    configuration: folders.etc,
  }, searchPath);
  if (!survey.ok) return survey;
  await writeIdentity(folders.home, survey.facts.identity);
  const layOut = (freshProcesses: boolean) =>
    layOutView({
      profile: options.profile,
      facts: survey.facts,
      folders,
      state: survey.facts.state ?? options.places.state,
      out: options.places.sessionFolder,
      environment: options.environment,
      extraRead,
      extraWrite,
      toolchains,
      stores: options.stores ?? [],
      proxySocket: options.proxySocket,
      forwarder: options.profile === "egress" ? forwarderInView() : undefined,
      freshProcesses,
      searchPath,
    });
  const { facts } = survey;
  const programs = options.programs ?? [];
  const first = await prove(layOut(true), { facts, filter, programs });
  if (first.ok || !first.procOnly) return first;
  return await prove(layOut(false), { facts, filter, programs });
}

function isArchitecture(name: string): name is Architecture {
  return ARCHITECTURES.includes(name);
}

function toolchainsOf({ environment, places, caches = true }: OpenViewOptions): string[] {
  const { workspace, state, home } = places;
  const hidden = [workspace, state, ...(home === undefined ? [] : [home])];
  return toolchainFolders({ environment, home, caches, hidden, workspace });
}

interface Proof {
  readonly facts: MachineFacts;
  readonly filter: Uint8Array;
  readonly programs: readonly string[];
}

/** Makes what the view needs and runs it once. */
async function prove(
  answer: ViewAnswer,
  { facts, filter, programs }: Proof,
): Promise<OpenedView & { readonly procOnly?: true }> {
  if (!answer.ok) return answer;
  const { view } = answer;
  const files = facts.present.filter(({ folder }) => !folder).map(({ path }) => path);
  await makeMountPoints(view.points, (target) => !files.includes(target));
  const probe = await probeView(view, filter, programs);
  if (!probe.ok) return probe;
  const [tier, tierReason] = view.freshProcesses
    ? ["1", "bubblewrap"] as const
    : ["1b", "bubblewrap, with the processes of the outer sandbox in sight"] as const;
  return {
    ...{ ok: true, tier, tierReason, filter, facts },
    view: { ...view, warnings: [...view.warnings, ...shortcomings(view, probe)] },
    programs: probe.programs,
  };
}

/** What the probe found wanting, as sentences for a person. */
function shortcomings(
  { profile, workspace }: View,
  { workspaceWritable }: Extract<ProbeAnswer, { ok: true }>,
): string[] {
  return [
    ...(profile === "plan" || workspaceWritable
      ? []
      : [`The workspace ${JSON.stringify(workspace)} can only be read`]),
  ];
}
