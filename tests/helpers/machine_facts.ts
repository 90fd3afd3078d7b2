import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import type { MachineFacts } from "../../sandbox/view/machine_facts.ts";
import {
  layOutView,
  privateFolders,
  type View,
  type ViewRequest,
} from "../../sandbox/view/view.ts";

/** An ordinary user's machine: /home/u, a project in it, bin and lib as links. */
export function facts(changes: Partial<MachineFacts> = {}): MachineFacts {
  return {
    root: false,
    workspace: "/home/u/src/project",
    workspaceOwned: true,
    home: "/home/u",
    state: "/home/u/.local/state/cordon",
    systemFolders: ["/lib32"],
    systemLinks: ["bin", "lib"],
    configuration: [],
    procFiles: ["/proc/keys"],
    present: [],
    repositories: [],
    autoRun: [],
    identity: {},
    ...changes,
  };
}

/** A view's request on that machine. */
export function request(changes: Partial<ViewRequest> = {}): ViewRequest {
  const state = "/home/u/.local/state/cordon";
  return {
    profile: "workspace",
    facts: facts(),
    folders: privateFolders(state, "s1"),
    state,
    out: `${state}/sessions/s1`,
    environment: commandEnvironment({ PATH: "/usr/bin", HOME: "/home/u" }),
    extraRead: [],
    extraWrite: [],
    toolchains: [],
    stores: [],
    freshProcesses: true,
    searchPath: "/usr/bin:/bin",
    ...changes,
  };
}

/** The view of a request that has one. */
export function viewOf(changes: Partial<ViewRequest> = {}): View {
  const answer = layOutView(request(changes));
  if (!answer.ok) throw new Error(answer.reason);
  return answer.view;
}
