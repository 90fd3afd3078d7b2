import { deepStrictEqual } from "node:assert/strict";
import { output } from "./output.ts";

/** Git with nothing of this machine's settings. */
const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "somebody",
  GIT_AUTHOR_EMAIL: "somebody@example.invalid",
  GIT_COMMITTER_NAME: "somebody",
  GIT_COMMITTER_EMAIL: "somebody@example.invalid",
  LC_ALL: "C.UTF-8",
};

/** Runs git in a folder, and resolves to what it prints without the last line break; it must succeed. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { success, out, why } = await tryGit(folder, ...args);
  deepStrictEqual({ success, why: success ? "" : why }, { success: true, why: "" });
  return out;
}

/** The same for a git that may fail. */
export async function tryGit(folder: string, ...args: string[]) {
  const { out, ...ended } = await output("git", args, { cwd: folder, env: ENVIRONMENT });
  return { ...ended, out: out.replace(/\n$/, "") };
}

/** Makes a repository of what lies in a folder, with one commit. */
export async function makeRepository(folder: string): Promise<void> {
  await git(folder, "init", "-q", "-b", "main");
  await git(folder, "add", "-A");
  await git(folder, "commit", "-q", "--allow-empty", "-m", "first");
}
