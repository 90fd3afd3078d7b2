import type { Environment } from "../commands/environment.ts";

/** A file or folder that is there. */
export interface Entry {
  readonly path: string;
  readonly folder: boolean;
}

/** What has to be known of a machine and a workspace to lay out a view. All paths are absolute. */
export interface MachineFacts {
  /** Whether the view's processes are root's outside. */
  readonly root: boolean;
  /** Links resolved. */
  readonly workspace: string;
  /** Whether the user of the view owns the workspace. */
  readonly workspaceOwned: boolean;
  /** Links resolved; undefined where there is none. */
  readonly home?: string;
  /** Links resolved; undefined where it is not there. */
  readonly state?: string;
  /** `/bin`, `/lib64` …: folders of their own, or links to the same name below `/usr`. */
  readonly systemFolders: readonly string[];
  readonly systemLinks: readonly string[];
  /** Folders of /etc that the view of root shows beside the copy. */
  readonly configuration: readonly string[];
  /** Files of /proc that say or do too much. */
  readonly procFiles: readonly string[];
  /** Those of the wanted folders (tool chains, caches) and granted paths that are there. */
  readonly present: readonly Entry[];
  /** `.git` folders, outermost first. */
  readonly repositories: readonly string[];
  /** Files and folders that the user's own programs run or obey by themselves. */
  readonly autoRun: readonly Entry[];
  /** The git store of a linked worktree or submodule, outside the workspace. */
  readonly store?: GitStore;
  /** The root of the repository that the workspace is a part of, where it is not its root itself. */
  readonly around?: string;
  /** `user.name` and `user.email` of the user's own git configuration. */
  readonly identity: { readonly name?: string; readonly email?: string };
}

/** Where the git data of a workspace lies, if that is elsewhere. */
export interface GitStore {
  /** The folder that holds objects and refs. */
  readonly path: string;
  /** It names the workspace in turn, and the same user owns it. */
  readonly trusted: boolean;
}

/** The program for want of which a survey could not be made; undefined where all were there. */
export function missingProgram(output: string): string | undefined {
  return /^missing\0([^\0]+)\0$/.exec(output)?.[1];
}

/** Reads what the survey printed; undefined where it did not come to its end. */
export function parseSurvey(output: string): MachineFacts | undefined {
  const found = new Map<string, string[]>();
  const fields = output.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [name = "", value = ""] = fields.slice(index, index + 2);
    found.set(name, [...found.get(name) ?? [], value]);
  }
  const all = (name: string) => found.get(name) ?? [];
  const [workspace] = all("workspace");
  if (workspace === undefined || !found.has("end")) return undefined;
  const entries = (name: string): Entry[] => [
    ...all(`${name}-folder`).map((path) => ({ path, folder: true })),
    ...all(`${name}-file`).map((path) => ({ path, folder: false })),
  ];
  return {
    root: found.has("root"),
    workspace,
    workspaceOwned: found.has("owned"),
    ...one("home", all("home")),
    ...one("state", all("state")),
    systemFolders: all("system-folder"),
    systemLinks: all("system-link"),
    configuration: all("configuration"),
    procFiles: all("proc"),
    present: entries("present"),
    repositories: all("repository"),
    autoRun: entries("auto-run"),
    ...storeOf(all("store"), all("store-trusted")),
    ...one("around", all("around")),
    identity: identityOf(all("identity")),
  };
}

function one<K extends string>(name: K, [value]: readonly string[]): { [key in K]?: string } {
  // The one key of the object is `name`, which TypeScript cannot see.
  return (value === undefined ? {} : { [name]: value }) as { [key in K]?: string };
}

function storeOf([plain]: readonly string[], [trusted]: readonly string[]): { store?: GitStore } {
  const path = trusted ?? plain;
  return path === undefined ? {} : { store: { path, trusted: trusted !== undefined } };
}

/** Lines of `git config -z --get-regexp`: the key, a newline, the value. */
function identityOf(lines: readonly string[]): MachineFacts["identity"] {
  const values: Environment = Object.fromEntries(
    lines.map((line) => {
      const end = line.indexOf("\n");
      return end < 0 ? [line, ""] : [line.slice(0, end), line.slice(end + 1)];
    }),
  );
  const { "user.name": name, "user.email": email } = values;
  return { ...(name && { name }), ...(email && { email }) };
}
