import { join, resolve } from "node:path";
import { CommandError } from "../../sandbox/commands/commands.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { digestOf } from "../../sandbox/snapshots/digest.ts";
import { after } from "../../sandbox/commands/timers.ts";
import { startPiped } from "../../sandbox/commands/piped_process.ts";

/** What git answered. */
export interface GitAnswer {
  readonly ok: boolean;
  /** Standard output, without its last line break. */
  readonly out: string;
  /** Standard error, for people. */
  readonly why: string;
}

/** What one run of git is given. */
export interface RunOptions {
  /** The file that stands for the index. */
  readonly index?: string;
  /** Its standard input. */
  readonly input?: string;
  /** How long it may take, in milliseconds; default {@linkcode LIMIT_MS}. */
  readonly limitMs?: number;
}

/** Git waits for ever where a file that it reads is a pipe, as any command may make one; in milliseconds. */
const LIMIT_MS = 120_000;

/** Git in one folder, run so that nothing of a person's own settings is obeyed but what is needed. */
export interface Git {
  /** Absolute. */
  readonly folder: string;
  /** Runs git. Never throws for what git says. */
  run(args: readonly string[], options?: RunOptions): Promise<GitAnswer>;
  /**
   * The same where only success will do.
   * @throws {GitError}
   */
  need(args: readonly string[], options?: RunOptions): Promise<string>;
  /** The same git in another folder. */
  in(folder: string): Git;
  /** The repository's own folder, which all its checkouts share; absolute. */
  store(): Promise<string>;
  /**
   * Does something that adds or removes worktrees while no other process of ours does so in the same
   * repository: git itself fails where it meets one that is half made.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Git did not do what it was asked to do; the message is one sentence for people. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/**
 * What goes before any setting of a repository: nothing is run that a repository names (hooks, file
 * system monitors), nothing is fetched, and nothing is tidied up that somebody may still look for.
 */
const SETTINGS: Environment = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.splitIndex": "false",
  // Many work in one repository; by default git waits for others for a second at most.
  "core.packedRefsTimeout": "30000",
  "core.filesRefLockTimeout": "30000",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
  "advice.addEmbeddedRepo": "false",
};

/** Neither the machine's settings nor a person's own count; commits are ours, whoever we work for. */
const VARIABLES: Environment = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  // Older versions do not know the line above, and fetch by any program that a repository names: its
  // own `protocol.ext.allow` counts more than a `protocol.allow` of ours, and less than this.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_AUTHOR_NAME: "Cordon",
  GIT_AUTHOR_EMAIL: "cordon@localhost",
  GIT_COMMITTER_NAME: "Cordon",
  GIT_COMMITTER_EMAIL: "cordon@localhost",
  LC_ALL: "C",
};

/**
 * Git for a folder that is the top of a repository's checkout; undefined where it is none, where git
 * does not trust the repository, or where there is no git. `locks` is a folder of ours.
 */
export async function openGit(
  folder: string,
  { environment, locks }: { readonly environment: Environment; readonly locks: string },
): Promise<Git | undefined> {
  const variables = { ...environment, ...VARIABLES };
  const plain = gitIn(folder, { variables, settings: SETTINGS, locks });
  try {
    const { ok, out } = await plain.run(["rev-parse", "--show-toplevel"]);
    if (!ok || await Deno.realPath(out) !== folder) return undefined;
    const filters = await withoutFilters(plain);
    return gitIn(folder, { variables, settings: { ...SETTINGS, ...filters }, locks });
  } catch (error) {
    if (error instanceof CommandError || error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Filters are programs that git runs over content; large files that they stand for stay pointers. */
async function withoutFilters(git: Git): Promise<Record<string, string>> {
  const { out } = await git.run(["config", "-z", "--name-only", "--get-regexp", "^filter\\."]);
  const names = out.split("\0").filter((key) => key !== "")
    .map((key) => key.slice(0, key.lastIndexOf(".")));
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => [
      [`${name}.clean`, ""],
      [`${name}.smudge`, ""],
      [`${name}.process`, ""],
      [`${name}.required`, "false"],
    ]),
  );
}

interface GitParts {
  readonly variables: Environment;
  readonly settings: Environment;
  readonly locks: string;
}

function gitIn(folder: string, parts: GitParts): Git {
  const { variables, settings, locks } = parts;
  const run: Git["run"] = async (args, { index, input = "", limitMs = LIMIT_MS } = {}) => {
    const environment = {
      ...variables,
      ...settingVariables(settings),
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
    };
    const child = startPiped(["git", ...args], { environment, cwd: folder });
    using limit = after(limitMs);
    let problem = "";
    void limit.passed.then(() => {
      problem = `it took longer than ${limitMs / 1000} seconds`;
      child.kill();
    });
    const [out, said, { code }] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.status,
      new Blob([input]).stream().pipeTo(child.stdin).catch(ignoreBrokenPipe),
    ]);
    return { ok: code === 0, out: out.replace(/\n$/, ""), why: problem || said.trim() };
  };
  const need: Git["need"] = async (args, options) => {
    const { ok, out, why } = await run(args, options);
    if (ok) return out;
    throw new GitError(`Cannot run git ${args[0]} in "${folder}": ${why.split("\n").at(-1)}`);
  };
  let found: Promise<string> | undefined;
  const store = () =>
    found ??= need(["rev-parse", "--git-common-dir"]).then((path) => resolve(folder, path));
  return {
    ...{ folder, run, need, store },
    in: (other) => gitIn(other, parts),
    async alone(work) {
      const digest = digestOf(new TextEncoder().encode(await store())).slice(0, 12);
      using lock = await Deno.open(join(locks, `git-${digest}.lock`), LOCK_OPTIONS);
      await lock.lock(true);
      return await work();
    },
  };
}

const LOCK_OPTIONS: Deno.OpenOptions = { create: true, write: true, mode: 0o600 };

/** Settings as variables: a name in them may hold any character, as `-c` would not let it. */
function settingVariables(settings: Environment): Environment {
  const entries = Object.entries(settings);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(entries.length)],
    ...entries.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

function ignoreBrokenPipe(error: unknown): void {
  // Git may have ended before it read all, or anything.
  if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
}
