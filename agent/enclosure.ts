import { type OpenedView, openView } from "../sandbox/view/open_view.ts";
import type { Confinement, Profile } from "../sandbox/rights/tier.ts";
import { privateFolders } from "../sandbox/view/view.ts";
import { agreedGitStore } from "./agreements.ts";
import { BROWSER_PROGRAMS, type ChosenBrowser } from "./browser/choose_browser.ts";
import { findBrowser } from "./browser/find_browser.ts";
import { whyNoBrowser, whyNoPages } from "./browser/no_browser.ts";
import { extraFolders, keepsState, type Launch } from "./launch.ts";
import { queryRuntime } from "../sandbox/rights/runtime.ts";
import { netReach } from "./net_reach.ts";
import { offeredTools, type Rights, type ToolStatus, toolStatuses } from "./rights.ts";
import { usingState } from "./state_error.ts";
import { searchEngines } from "./search_engines.ts";
import { searchReach, withEngines } from "./search_reach.ts";
import { type SkillReach, skillReach } from "./skills/skill_reach.ts";
import type { Desktop } from "../tools/screen/desktop.ts";
import type { Screen } from "../tools/screen/screen.ts";
import type { Tool } from "../tools/tool.ts";
import type { OpenedScreen } from "./screen/open_screen.ts";
import { screenFor } from "./screen/screen_for.ts";
import { recordOf } from "./worktrees/record.ts";

/** A kernel view that was proven on this machine. */
export type ProvenView = Extract<OpenedView, { ok: true }>;

/** What confines the tools of a run, and so which of them it offers. */
export interface Enclosure {
  readonly rights: Rights;
  /** Every tool, offered or not. */
  readonly tools: readonly ToolStatus[];
  readonly offered: readonly Tool[];
  readonly skills: SkillReach;
  /** The person's screen; absent where no tool looks at it. */
  readonly screen?: Screen;
  /** The desktop on it; absent where no tool acts there. */
  readonly desktop?: Desktop;
  /** Absent in tier 3 and in profile off. */
  readonly view: ProvenView | undefined;
  /** The browser that the tool has; absent where there is none. */
  readonly browser?: ChosenBrowser;
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
}

/** The session that a view is for: its private folders are named after it. */
export interface ViewSession {
  readonly id: string;
  /** Where output is spilled; undefined where none is kept. */
  readonly folder: string | undefined;
}

/** What else settles what a run offers. */
export interface EnclosureOptions {
  /** Where commands find the way out. */
  readonly proxySocket?: string | undefined;
  /** Whether anything of the session is kept; default true. */
  readonly keepsLog?: boolean;
  /** Whether a person can be asked while it works. */
  readonly hasPerson?: boolean;
  /** Whether a person is asked for hosts that are not granted. */
  readonly asksForHosts?: boolean;
  /** Asks whether a git store outside the workspace is shown, of which nothing was said yet. */
  readonly askForStore?: (store: string) => Promise<boolean>;
}

/** Programs that make tools better where they are there. */
const HELPFUL = ["rg", "git"];

/**
 * Proves the kernel view that the profile asks for, where this machine and the grants have one.
 * Where they have none, commands are not confined, which the gate takes into account.
 */
export async function encloseRun(
  launch: Launch,
  session: ViewSession,
  options: EnclosureOptions = {},
): Promise<Enclosure> {
  const { keepsLog = true, hasPerson = false, asksForHosts = false } = options;
  const { settings, grants, places, catalogue, selected, applyModel } = launch;
  const skills = await skillReach(places, launch.configuration.project.trust);
  const [opened, screen] = await Promise.all([
    tryView(launch, session, skills.folders, options),
    screenFor(launch, session.folder),
  ]);
  const confinement = confinementOf(settings.profile, opened);
  const browser = findBrowser(launch, opened.ok ? opened.programs : undefined);
  const noBrowser = whyNoBrowser(browser, queryRuntime);
  const search = searchReach(searchEngines(settings), whyNoPages(browser, queryRuntime));
  const rights: Rights = {
    grants,
    confinement,
    workspace: places.workspace,
    ...{ applyModel, hasPerson, net: netReach(launch, asksForHosts) },
    search: search.engines.length > 0,
    ...(search.noPage !== undefined && { noSearch: search.noPage }),
    keepsIndex: keepsLog && keepsState(launch),
    skills: skills.any,
    executable: Deno.execPath(),
    ...(noBrowser !== undefined && { noBrowser }),
    ...whyNoScreen(screen),
    ...(opened.ok && { programs: new Set(opened.programs) }),
  };
  const tools = toolStatuses(withEngines(catalogue, search.engines), selected, rights);
  return {
    rights,
    tools,
    offered: offeredTools(tools),
    skills,
    ...(screen?.ok && { screen: screen.screen }),
    ...(screen?.ok && screen.desktop.ok && { desktop: screen.desktop.desktop }),
    view: opened.ok ? opened : undefined,
    ...(browser && { browser }),
    warnings: opened.ok ? opened.view.warnings : fixes(opened),
  };
}

/** Where the screen cannot be looked at, nothing can be done there either. */
function whyNoScreen(screen: OpenedScreen | undefined) {
  if (!screen) return {};
  if (!screen.ok) return { noScreen: screen.reason, noDesktop: screen.reason };
  return screen.desktop.ok ? {} : { noDesktop: screen.desktop.reason };
}

interface NoView {
  readonly ok: false;
  /** Half a sentence. */
  readonly reason: string;
  /** What a person can do; absent where they chose it so. */
  readonly fix?: string;
}

async function tryView(
  launch: Launch,
  session: ViewSession,
  skillFolders: readonly string[],
  { proxySocket, askForStore }: EnclosureOptions,
): Promise<ProvenView | NoView> {
  const { settings, places, grants, environment } = launch;
  const { profile } = settings;
  if (profile === "off") return { ok: false, reason: "--profile=off" };
  if (places.state === undefined || !keepsState(launch)) {
    return { ok: false, reason: "no state folder is granted" };
  }
  if (!grants.allows("run", "bwrap")) {
    return { ok: false, reason: "--allow-run=bwrap is not granted" };
  }
  const { workspace, state, home } = places;
  const { shell: folder } = privateFolders(state, session.id);
  return await usingState(folder, () =>
    openView({
      profile,
      places: { workspace, state, home, sessionFolder: session.folder },
      session: session.id,
      environment,
      extraRead: [...extraFolders(grants, "read", places), ...skillFolders],
      extraWrite: extraFolders(grants, "write", places),
      agreesToStore: (store) =>
        isOwnStore(state, workspace, store) ||
        (agreedGitStore(state, store) ?? askForStore?.(store) ?? false),
      proxySocket,
      programs: wantedPrograms(launch),
      // Who keeps no log leaves nothing behind; and what is only looked at is looked at now.
      remembers: session.folder !== undefined,
    }));
}

/** Whether it is the repository of a worktree that an agent was given: it goes with the files. */
function isOwnStore(state: string, workspace: string, store: string): boolean {
  return recordOf(state, workspace)?.git?.store === store;
}

function wantedPrograms({ catalogue }: Launch): string[] {
  const needed = catalogue.flatMap(({ needs }) => needs.run ?? []);
  return [...new Set([...needed, ...HELPFUL, ...BROWSER_PROGRAMS])];
}

function confinementOf(profile: Profile, opened: ProvenView | NoView): Confinement {
  return opened.ok
    ? { tier: opened.tier, tierReason: opened.tierReason, profile }
    : { tier: "3", tierReason: opened.reason, profile };
}

function fixes({ reason, fix }: NoView): string[] {
  return fix === undefined ? [] : [`no kernel view: ${reason}. ${fix}`];
}
