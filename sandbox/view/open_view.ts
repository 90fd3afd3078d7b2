import { dirname } from "node:path";
import type { Environment } from "../commands/environment.ts";
import { forwarderInView } from "./forwarder_in_view.ts";
import { makePrivateFolders, writeIdentity } from "./private_folders.ts";
import { surveyMachine } from "./probe.ts";
import { type NoView, type Proof, type ProvenView, proveView } from "./prove_view.ts";
import { rememberedProofs } from "./remembered_proofs.ts";
import { seccompFilter } from "./seccomp.ts";
import type { Architecture } from "./system_calls.ts";
import { toolchainFolders } from "./toolchains.ts";
import { SYSTEM_PATH } from "./view_places.ts";
import { layOutView, privateFolders, type ViewProfile, wantedPaths } from "./view.ts";

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
  /**
   * Whether a git store outside the workspace, which names the workspace in turn and is our own, is
   * shown with it; default no.
   */
  readonly agreesToStore?: (store: string) => boolean | Promise<boolean>;
  /** The workspace can only be read, whatever the profile; default false. */
  readonly readsWorkspace?: boolean;
  /** The host's socket of the egress proxy; there when commands run. */
  readonly proxySocket?: string | undefined;
  /** Where bubblewrap and bash are; default {@linkcode SYSTEM_PATH}. */
  readonly searchPath?: string;
  /** Programs to look for in the view. */
  readonly programs?: readonly string[];
  /** Whether a proof of an earlier start stands in until that of this start has come. */
  readonly remembers?: boolean;
}

export type OpenedView = ProvenView | NoView;

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
  makePrivateFolders(folders);
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
  const { store } = survey.facts;
  const agrees = store?.trusted && await options.agreesToStore?.(store.path);
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
      stores: store && agrees ? [store.path] : [],
      proxySocket: options.proxySocket,
      forwarder: options.profile === "egress" ? forwarderInView() : undefined,
      freshProcesses,
      readsWorkspace: options.readsWorkspace ?? false,
      searchPath,
    });
  const { facts } = survey;
  const programs = options.programs ?? [];
  const { sessionFolder } = options.places;
  const proof: Proof = {
    ...{ facts, filter, programs },
    folders: [dirname(folders.home), ...(sessionFolder === undefined ? [] : [sessionFolder])],
    ...(options.remembers && { memory: rememberedProofs(options.places.state) }),
  };
  const first = await proveView(layOut(true), proof);
  if (first.ok || !first.procOnly) return first;
  const { memory: _, ...whole } = proof;
  return await proveView(layOut(false), whole);
}

function isArchitecture(name: string): name is Architecture {
  return ARCHITECTURES.includes(name);
}

function toolchainsOf({ environment, places, caches = true }: OpenViewOptions): string[] {
  const { workspace, state, home } = places;
  const hidden = [workspace, state, ...(home === undefined ? [] : [home])];
  return toolchainFolders({ environment, home, caches, hidden, workspace });
}
