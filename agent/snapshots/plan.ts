import { dirname } from "node:path";
import { byName } from "../../sandbox/files/list.ts";
import { isSameState, type PathState } from "../../sandbox/snapshots/entry.ts";
import type { Present } from "../../sandbox/snapshots/present.ts";
import { type Action, isHalfway, type Kept } from "../../sandbox/snapshots/restore.ts";

/** A path that a step is to bring from one state to another. */
export interface Wish {
  readonly path: string;
  readonly from: PathState | undefined;
  readonly to: PathState | undefined;
  /** Why the path stays as it is in any case, unless it is already as wished. */
  readonly kept?: string;
}

/** What a plan is made for. */
export interface PlanOptions {
  readonly present: Present;
  readonly isStored: (hash: string) => boolean;
  /** A move was cut off before: what it left halfway counts as what was expected. */
  readonly afterCutOff: boolean;
}

/** What an undo or redo would do. */
export interface RestorePlan {
  readonly actions: readonly Action[];
  readonly kept: readonly Kept[];
}

/**
 * Plans steps, one after the other, on a workspace as it is now. A path is changed only where it
 * holds exactly what its step expects; one that already holds what it is to hold needs nothing, and
 * any other is kept.
 */
export function planRestore(
  steps: readonly (readonly Wish[])[],
  options: PlanOptions,
): RestorePlan {
  const draft = new Draft(options);
  for (const wishes of steps) for (const wish of wishes) draft.take(wish);
  return draft.finish();
}

class Draft {
  readonly #options: PlanOptions;
  readonly #now = new Map<string, PathState | undefined>();
  readonly #planned = new Map<string, Action["to"]>();
  readonly #kept = new Map<string, string>();

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  take({ path, from, to, kept }: Wish): void {
    const { isStored, afterCutOff } = this.#options;
    const state = this.#state(path);
    if (to?.kind === "left_out") return this.#keep(path, `no snapshot was taken of it: ${to.why}`);
    if (isSameState(state, to)) return;
    if (kept !== undefined) return this.#keep(path, kept);
    if (from?.kind === "left_out") {
      return this.#keep(path, `no snapshot was taken of it: ${from.why}`);
    }
    if (!isSameState(state, from) && !(afterCutOff && isHalfway(state, from, to))) {
      return this.#keep(path, "it was changed since");
    }
    if (to?.kind === "file" && !isStored(to.hash)) {
      return this.#keep(path, "its content is no longer kept");
    }
    this.#planned.set(path, to);
    this.#kept.delete(path);
  }

  finish(): RestorePlan {
    const paths = [...this.#planned.keys()];
    // From below: a folder that has to stay makes those around it stay.
    for (const path of paths.toSorted((a, b) => b.length - a.length)) this.#checkContent(path);
    for (const path of paths.toSorted((a, b) => a.length - b.length)) this.#checkFolder(path);
    const actions = [...this.#planned]
      .map(([path, to]) => ({ path, from: this.#before(path), to }))
      .filter(({ from, to }) => !isSameState(from, to));
    const kept = [...this.#kept].map(([path, why]) => ({ path, why }));
    return { actions: actions.sort(byPath), kept: kept.sort(byPath) };
  }

  /** A folder that goes must be empty by then. */
  #checkContent(path: string): void {
    if (this.#before(path)?.kind !== "folder" || this.#planned.get(path)?.kind === "folder") return;
    const stays = this.#options.present.names(path).some((name) => this.#state(`${path}/${name}`));
    if (stays) this.#keep(path, "it holds files that stay");
  }

  /** Whatever comes needs a folder to lie in. */
  #checkFolder(path: string): void {
    const folder = dirname(path);
    if (this.#planned.get(path) === undefined || folder === ".") return;
    if (this.#state(folder)?.kind !== "folder") {
      this.#keep(path, "its folder is not there any more");
    }
  }

  #keep(path: string, why: string): void {
    this.#planned.delete(path);
    this.#kept.set(path, why);
  }

  /** What a path will hold, as planned so far. */
  #state(path: string): PathState | undefined {
    return this.#planned.has(path) ? this.#planned.get(path) : this.#before(path);
  }

  #before(path: string): PathState | undefined {
    if (!this.#now.has(path)) this.#now.set(path, this.#options.present.state(path));
    return this.#now.get(path);
  }
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return byName(one.path, other.path);
}
