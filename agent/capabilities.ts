import type { Commands } from "../sandbox/commands/commands.ts";
import type { ReadFiles, WriteFiles } from "../sandbox/files/files.ts";
import { type Jobs, noJobs } from "../sandbox/commands/jobs.ts";
import type { Index } from "../tools/rag/index.ts";
import type { Net } from "../sandbox/net.ts";
import type { Desktop, DesktopLook } from "../tools/screen/desktop.ts";
import type { Screen } from "../tools/screen/screen.ts";
import type { Needs } from "../sandbox/rights/needs.ts";
import type { Browser } from "../tools/browser/browser.ts";
import type { Children } from "../tools/subagent/children.ts";
import type {
  ApplyModel,
  CallContext,
  Calls,
  Journal,
  LookContext,
  Person,
  Pictures,
  Reader,
  SessionValues,
  Skills,
  Store,
  ToolContext,
} from "../tools/tool.ts";
import { NO_JOURNAL } from "./backing/journal.ts";

/** What backs the capabilities of this run, before any tool has declared what it needs. */
export interface Capabilities {
  readonly files: WriteFiles;
  /** The same, whose operations are given up when the signal is raised; absent: they are short. */
  readonly filesUntil?: (signal: AbortSignal) => WriteFiles;
  readonly commands: Commands;
  /** Absent where the model could not look at a job: then there is none. */
  readonly jobs?: Jobs;
  readonly store: Store;
  readonly session: SessionValues;
  /** Absent where nothing is kept on disk: then a crash in a change of several files leaves a mix. */
  readonly journal?: Journal;
  /** Absent where no apply model is configured. */
  readonly model?: ApplyModel;
  /** Absent: no host is reached. */
  readonly net?: Net;
  /** Absent: nothing from outside is read. */
  readonly reader?: Reader;
  /** Absent: images are told of, and not shown. */
  readonly pictures?: Pictures;
  /** Absent: there is no screen. */
  readonly screen?: Screen;
  /** Absent: there is no desktop to act on. */
  readonly desktop?: Desktop;
  /** Absent: there is none. */
  readonly browser?: Browser;
  /** Absent where nothing is kept on disk. */
  readonly index?: Index;
  /** Absent: there are none. */
  readonly children?: Children;
  /** Absent where nobody can be asked. */
  readonly person?: Person;
  /** Absent where there are none. */
  readonly skills?: Skills;
  /** Of one call: what it may call itself. Absent: nothing. */
  readonly calls?: Calls;
}

/** Where no apply model is configured, its tools say so. */
const NO_MODEL: ApplyModel = {
  complete: () =>
    Promise.reject(
      new Error("Cannot ask an apply model: none is configured, use another edit tool"),
    ),
};

const NO_CALLS: Calls = {
  tools: [],
  call: (name) => Promise.resolve({ ok: false, problem: `Cannot call "${name}" from here` }),
};

/** Where nobody can be asked, nobody answers. */
const NO_PERSON: Person = { ask: () => Promise.resolve(undefined) };

const NO_SKILLS: Skills = {
  list: () => Promise.resolve([]),
  take: () => Promise.resolve(undefined),
};

const NO_NET: Net = {
  fetch: (url) =>
    Promise.resolve({ ok: false, reason: "unlisted", message: `Cannot fetch "${url}" from here` }),
};

const NO_READER: Reader = {
  read: () => Promise.reject(new Error("Cannot read a document from outside here")),
};

const NO_PICTURES: Pictures = {
  picture: () =>
    Promise.resolve({ ok: false, reason: "unavailable", message: "no image is shown here" }),
};

const NO_BROWSER: Browser = {
  look: () => ({ kind: "own", running: false, confined: true }),
  act: () => Promise.reject(new Error("Cannot use a browser here: there is none")),
};

function noIndex(): Promise<never> {
  return Promise.reject(new Error("Cannot keep an index: nothing may be kept here, give --state"));
}

const NO_INDEX: Index = {
  root: ".",
  update: noIndex,
  followSessions: noIndex,
  search: noIndex,
  status: noIndex,
  clear: noIndex,
};

const NO_CHILDREN: Children = {
  roles: [],
  start: () => Promise.resolve({ ok: false, problem: "Cannot start a sub-agent from here" }),
  find: () => undefined,
  list: () => [],
};

const NO_SCREEN: Screen = {
  capture: () => Promise.reject(new Error("Cannot look at a screen here")),
  windows: () => Promise.resolve(undefined),
};

const NO_DESKTOP: Desktop = {
  ...NO_SCREEN,
  size: () => Promise.reject(new Error("Cannot use a desktop here: there is none")),
  apps: () => Promise.resolve([]),
  elements: () => Promise.resolve({ ok: false, message: "There is no desktop here" }),
  focused: () => Promise.resolve(undefined),
  act: () => Promise.reject(new Error("Cannot use a desktop here: there is none")),
};

const NO_JOBS = noJobs("the tool job_output is switched off");

/** The capabilities that `needs` names, for looking: nothing in it can change anything. */
export function lookContext(needs: Needs, backing: Capabilities): LookContext<Needs> {
  return lookable(needs, backing);
}

function lookable(needs: Needs, backing: Capabilities): object {
  return {
    ...(needs.read && { files: readOnly(backing.files) }),
    ...(needs.uses?.includes("store") && { store: backing.store }),
    ...(needs.uses?.includes("session") && { session: backing.session }),
    ...(needs.uses?.includes("desktop") && { desktop: unmoved(backing.desktop ?? NO_DESKTOP) }),
    ...(needs.uses?.includes("browser") && { browser: onlyLook(backing.browser ?? NO_BROWSER) }),
    ...(needs.uses?.includes("model") && { model: backing.model ?? NO_MODEL }),
  };
}

/** The capabilities that `needs` names, and nothing else: this is what a tool's `run` gets. */
export function toolContext(
  needs: Needs,
  { filesUntil, ...given }: Capabilities,
  call: CallContext,
): ToolContext<Needs> {
  const backing = { ...given, files: filesUntil?.(call.signal) ?? given.files };
  return {
    ...call,
    ...lookable(needs, backing),
    ...(needs.write && { files: backing.files }),
    ...(needs.run && { commands: backing.commands }),
    ...(needs.net && { net: backing.net ?? NO_NET }),
    ...(needs.uses?.includes("reader") && { reader: backing.reader ?? NO_READER }),
    ...(needs.uses?.includes("pictures") && { pictures: backing.pictures ?? NO_PICTURES }),
    ...(needs.uses?.includes("browser") && { browser: backing.browser ?? NO_BROWSER }),
    ...(needs.uses?.includes("index") && { index: backing.index ?? NO_INDEX }),
    ...(needs.uses?.includes("desktop") && { desktop: backing.desktop ?? NO_DESKTOP }),
    ...(needs.uses?.includes("screen") && { screen: backing.screen ?? NO_SCREEN }),
    ...(needs.uses?.includes("jobs") && { jobs: backing.jobs ?? NO_JOBS }),
    ...(needs.uses?.includes("calls") && { calls: backing.calls ?? NO_CALLS }),
    ...(needs.uses?.includes("person") && { person: backing.person ?? NO_PERSON }),
    ...(needs.uses?.includes("skills") && { skills: backing.skills ?? NO_SKILLS }),
    ...(needs.uses?.includes("children") && { children: backing.children ?? NO_CHILDREN }),
    ...(needs.uses?.includes("journal") && { journal: backing.journal ?? NO_JOURNAL }),
  };
}

function unmoved({ size, apps, elements, focused }: Desktop): DesktopLook {
  return { size, apps, elements, focused };
}

function onlyLook(browser: Browser): Pick<Browser, "look"> {
  return { look: () => browser.look() };
}

function readOnly(files: ReadFiles): ReadFiles {
  return {
    stat: (path) => files.stat(path),
    read: (path, options) => files.read(path, options),
    list: (path) => files.list(path),
    walk: (query) => files.walk(query),
    search: (query) => files.search(query),
    survey: (path) => files.survey(path),
    readMany: (query) => files.readMany(query),
  };
}
