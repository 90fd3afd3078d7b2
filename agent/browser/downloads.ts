import type { Download } from "playwright-core";
import { isAt } from "../../sandbox/files/checked_open.ts";
import { unlessMissing } from "../../sandbox/files/system_errors.ts";
import { after } from "../../sandbox/commands/timers.ts";
import type { BrowserEvent } from "../../tools/browser/browser.ts";

/** What a page may give us at the most, in bytes. */
export const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;

/** Downloads at a time; a page could begin any number. */
const MAX_AT_A_TIME = 8;

/** How often it is looked how large they have become, in milliseconds. */
const LOOK_MS = 100;

/** Files on their way out of a browser, by its folder for them. */
export class Downloads {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #running = new Set<Promise<void>>();
  readonly #ended: BrowserEvent[] = [];

  constructor(folder: string, maxBytes = MAX_DOWNLOAD_BYTES) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  add(download: Download): void {
    const name = download.suggestedFilename();
    if (this.#running.size >= MAX_AT_A_TIME) {
      this.#fail(name, "too many at a time");
      void download.cancel().catch(() => {});
      return;
    }
    const running = this.#take(download, name)
      .catch((error: unknown) => {
        this.#fail(name, error instanceof Error ? error.message : String(error));
      })
      .finally(async () => {
        this.#running.delete(running);
        if (this.#running.size === 0) await this.#clear();
      });
    this.#running.add(running);
  }

  /** Waits for those that run, up to `deadline` (of `performance.now()`). */
  async settle(deadline: number, signal: AbortSignal): Promise<void> {
    while (this.#running.size > 0 && performance.now() < deadline && !signal.aborted) {
      using pause = after(LOOK_MS);
      await Promise.race([Promise.all(this.#running), pause.passed]);
    }
  }

  /** Those that have ended since the last call, whole or not. */
  takeEnded(): BrowserEvent[] {
    return this.#ended.splice(0);
  }

  async #take(download: Download, name: string): Promise<void> {
    const url = download.url();
    let tooLarge = false;
    const watch = setInterval(async () => {
      if (tooLarge || await this.#size() <= this.#maxBytes) return;
      tooLarge = true;
      await download.cancel().catch(() => {});
    }, LOOK_MS);
    try {
      const failure = await download.failure();
      if (tooLarge) return this.#fail(name, `it is larger than ${this.#maxBytes} bytes`);
      if (failure !== null) return this.#fail(name, "the browser did not get it whole");
      const path = await download.path();
      const bytes = await this.#read(path);
      if (!bytes) return this.#fail(name, "it is no file, or larger than is taken");
      const file = { name, bytes, mediaType: "application/octet-stream" };
      this.#ended.push({ kind: "download", file, url });
    } finally {
      clearInterval(watch);
      await download.delete().catch(() => {});
    }
  }

  /**
   * What lies there; undefined where it is no plain file, or too large. A browser that a page has
   * taken over could leave a link to a file of ours.
   */
  async #read(path: string): Promise<Uint8Array | undefined> {
    const found = await Deno.lstat(path);
    if (!found.isFile || found.size > this.#maxBytes) return undefined;
    using file = await Deno.open(path);
    const opened = await file.stat();
    if (!isAt(path, opened)) return undefined;
    const bytes = new Uint8Array(await new Response(file.readable).arrayBuffer());
    return bytes.length > this.#maxBytes ? undefined : bytes;
  }

  #fail(name: string, why: string): void {
    this.#ended.push({ kind: "download_failed", name, why });
  }

  /** Takes away what was begun and not ended. */
  async #clear(): Promise<void> {
    for await (const { name } of Deno.readDir(this.#folder)) {
      await unlessMissing(Deno.remove(`${this.#folder}/${name}`, { recursive: true }));
    }
  }

  /** Of all that lies there, in bytes. */
  async #size(): Promise<number> {
    let bytes = 0;
    for await (const { name } of Deno.readDir(this.#folder)) {
      const info = await unlessMissing(Deno.lstat(`${this.#folder}/${name}`));
      bytes += info?.isFile ? info.size : 0;
    }
    return bytes;
  }
}
