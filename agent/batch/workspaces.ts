import { join } from "node:path";
import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import type { Apart } from "../children/apart.ts";
import { keptFacts } from "../children/leave_worktree.ts";
import { reasonOf } from "../session/error.ts";
import { allWorktrees, nestAt, worktreesFolder } from "../worktrees/record.ts";
import type { Worktree } from "../worktrees/worktree.ts";
import { createWorktrees, type Worktrees } from "../worktrees/worktrees.ts";
import type { House } from "./house.ts";
import type { OutFolder } from "./out_folder.ts";
import type { BatchTask } from "./task.ts";
import { folderOf } from "./task_start.ts";

/** Nothing of a batch comes into its workspace by itself. */
const NOT_LANDED = { landed: 0, paths: [] } as const;

/** The folders in which the tasks of a batch work, each in its own where that is wanted. */
export class Workspaces implements Disposable {
  readonly #house: House;
  /** What others came to is nothing that a task should see. */
  readonly #out: string;
  readonly #session: string;
  /** Of the batch's own workspace, where most tasks work. */
  #shared: Worktrees | undefined;

  /** `session` is what the worktrees are known by, the same each time the batch goes on. */
  constructor(house: House, out: Pick<OutFolder, "path">, session: string) {
    this.#house = house;
    this.#out = out.path;
    this.#session = session;
  }

  /** Whether an earlier run of the batch can have left a copy of its workspace. */
  get mayBeLeft(): boolean {
    const { isolation, launch: { places: { state } } } = this.#house;
    return isolation !== "none" && state !== undefined && isThere(allWorktrees(state));
  }

  /** The folder that a task is about. */
  folderOf(task: BatchTask): string {
    return folderOf(this.#house, task);
  }

  /**
   * Opens a task's own folder.
   * @throws {WorktreeError} where none can be had.
   * @throws the reason of `signal` once it is raised.
   */
  async open(task: BatchTask, signal: AbortSignal): Promise<Apart> {
    const folder = folderOf(this.#house, task);
    const isShared = folder === this.#house.launch.places.workspace;
    const worktrees = isShared ? this.#own() : this.#make(folder);
    try {
      const worktree = await worktrees.open(task.id, signal);
      return {
        path: worktree.path,
        async leave() {
          using _mine = isShared ? undefined : worktrees;
          return await letGo(worktree);
        },
      };
    } catch (error) {
      if (!isShared) worktrees[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Looks at what a killed run of the batch left in the workspace. What is worth nothing is removed;
   * the folders that stay are answered, but for the `wanted`.
   */
  async leftOver(wanted: ReadonlySet<string>): Promise<string[]> {
    const { state, workspace } = this.#house.launch.places;
    if (state === undefined) return [];
    const worktrees = this.#own();
    const kept: string[] = [];
    for (const { name, session } of worktrees.leftOver()) {
      if (session !== this.#session) continue;
      const nest = nestAt(join(worktreesFolder(state, workspace), name), workspace);
      if (wanted.has(nest.checkout)) continue;
      try {
        const { path } = await (await worktrees.reopen(name)).close();
        if (path !== undefined) kept.push(path);
      } catch (error) {
        kept.push(`${nest.checkout} (${reasonOf(error)})`);
      }
    }
    return kept;
  }

  #own(): Worktrees {
    return this.#shared ??= this.#make(this.#house.launch.places.workspace);
  }

  #make(workspace: string): Worktrees {
    const { launch: { places: { state }, environment }, isolation } = this.#house;
    // Who looked at the tasks has seen to it.
    if (state === undefined) throw new Error("no state folder");
    return createWorktrees({
      ...{ workspace, state, environment, session: this.#session, except: [this.#out] },
      ...(isolation === "copy" && { copiesOnly: true }),
    });
  }

  [Symbol.dispose](): void {
    this.#shared?.[Symbol.dispose]();
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (isOfSystem(error)) return false;
    throw error;
  }
}

async function letGo(worktree: Worktree) {
  const landing = { ...NOT_LANDED, ...keptFacts(await worktree.close()) };
  return { landing, approvalUnavailable: false };
}
