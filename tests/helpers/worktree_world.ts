import { createWorktrees, type Worktrees } from "../../agent/worktrees/worktrees.ts";
import { makeRepository } from "./git.ts";
import { type TempDir, tempDir } from "./temp_dir.ts";

/** A workspace with a state folder beside it, and the worktrees of one session. */
export interface WorktreeWorld extends AsyncDisposable {
  readonly dir: TempDir;
  /** Absolute. */
  readonly workspace: string;
  readonly worktrees: Worktrees;
  /** Worktrees of another session, or of the same one after a crash. */
  another(session?: string, workspace?: string): Worktrees;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
}

/** `kind` "git": the files are committed; "plain": there is no repository. */
export async function worktreeWorld(
  kind: "git" | "plain",
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<WorktreeWorld> {
  const inside = Object.entries(files).map(([name, content]) => [`work/${name}`, content]);
  const dir = await tempDir({
    "work/": "",
    ...Object.fromEntries(inside),
    "state/sessions/one.jsonl": "",
    "state/sessions/two.jsonl": "",
  });
  const workspace = dir.join("work");
  if (kind === "git") await makeRepository(workspace);
  const held = new DisposableStack();
  const another: WorktreeWorld["another"] = (session = "one", folder = workspace) =>
    held.use(createWorktrees({
      ...{ session, workspace: folder, state: dir.join("state") },
      environment: { PATH: Deno.env.get("PATH") ?? "" },
    }));
  return {
    ...{ dir, workspace, another, worktrees: another() },
    write: (name, text) => Deno.writeTextFile(`${workspace}/${name}`, text),
    read: (name) => Deno.readTextFile(`${workspace}/${name}`),
    async [Symbol.asyncDispose]() {
      held.dispose();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Lines 1 to 9, with some of them replaced. */
export function nineLines(replaced: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 9 }, (_, index) => `${replaced[index + 1] ?? index + 1}\n`).join("");
}
