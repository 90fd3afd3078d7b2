import { join } from "node:path";

/** Whose states they are: those of one workspace are no other's. Paths are absolute. */
export interface StatesOf {
  /** The folder of all of them. */
  readonly folder: string;
  readonly workspace: string;
}

/** Cookies and stored values of a browser, under names, for later sessions of the same workspace. */
export class SavedStates {
  readonly #of: StatesOf | undefined;

  /** Without a folder nothing is kept. */
  constructor(of: StatesOf | undefined) {
    this.#of = of;
  }

  get kept(): boolean {
    return this.#of !== undefined;
  }

  /** Keeps what the browser told, for its owner alone. */
  async save(name: string, state: unknown): Promise<void> {
    const folder = await this.#folder();
    if (folder === undefined) throw new Error("Cannot save a state: there is no folder for it");
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${name}.json`);
    const next = `${path}.${crypto.randomUUID()}`;
    await Deno.writeTextFile(next, JSON.stringify(state), { createNew: true, mode: 0o600 });
    await Deno.rename(next, path);
  }

  /** The file of a state, for the browser's library; undefined where there is none. */
  async find(name: string): Promise<string | undefined> {
    const folder = await this.#folder();
    if (folder === undefined) return undefined;
    const path = join(folder, `${name}.json`);
    try {
      return (await Deno.lstat(path)).isFile ? path : undefined;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** The names that there are, sorted. */
  async names(): Promise<string[]> {
    const folder = await this.#folder();
    if (folder === undefined) return [];
    try {
      const names: string[] = [];
      for await (const { name } of Deno.readDir(folder)) {
        if (name.endsWith(".json")) names.push(name.slice(0, -".json".length));
      }
      return names.sort();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  async #folder(): Promise<string | undefined> {
    if (!this.#of) return undefined;
    const { folder, workspace } = this.#of;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(workspace));
    return join(folder, new Uint8Array(digest).toHex().slice(0, 32));
  }
}
