import { join } from "node:path";

/** Cookies and stored values of a browser, under names, for later sessions of the same folder. */
export class SavedStates {
  readonly #folder: string | undefined;

  /** Without a folder nothing is kept. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  get kept(): boolean {
    return this.#folder !== undefined;
  }

  /** Keeps what the browser told, for its owner alone. */
  async save(name: string, state: unknown): Promise<void> {
    const folder = this.#folder ?? "";
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${name}.json`);
    const next = `${path}.${crypto.randomUUID()}`;
    await Deno.writeTextFile(next, JSON.stringify(state), { createNew: true, mode: 0o600 });
    await Deno.rename(next, path);
  }

  /** The file of a state, for the browser's library; undefined where there is none. */
  async find(name: string): Promise<string | undefined> {
    if (this.#folder === undefined) return undefined;
    const path = join(this.#folder, `${name}.json`);
    try {
      return (await Deno.lstat(path)).isFile ? path : undefined;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** The names that there are, sorted. */
  async names(): Promise<string[]> {
    if (this.#folder === undefined) return [];
    try {
      const names: string[] = [];
      for await (const { name } of Deno.readDir(this.#folder)) {
        if (name.endsWith(".json")) names.push(name.slice(0, -".json".length));
      }
      return names.sort();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }
}
