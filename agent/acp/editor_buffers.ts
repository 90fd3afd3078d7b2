import { decodeText, encodeText } from "../../edit/encoding.ts";
import { lineEnding, withBreaks } from "../../edit/text.ts";
import { versionOf } from "../../sandbox/files/content.ts";
import type { FileContent } from "../../sandbox/files/files.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import type { Clock } from "../model/retry.ts";
import { reasonOf } from "../session/error.ts";
import type { Editor } from "./editor.ts";
import { editorPath, type FolderNames } from "./path_names.ts";
import type { SessionVoice } from "./session_voice.ts";

/** What the buffers of an editor are asked through. */
export interface BufferParts {
  readonly voice: SessionVoice;
  /** Of the session: files elsewhere are none of the editor's. */
  readonly folder: () => FolderNames;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Raised when the person stops what goes on now, also where a look has no signal of its own. */
  readonly turn: () => AbortSignal | undefined;
}

/** Larger files are not sent to and fro, in bytes. */
const MAX_BUFFER_BYTES = 8 * 1024 * 1024;

/** An editor that takes longer for an answer is not asked again, in milliseconds. */
const ANSWER_LIMIT_MS = 10_000;

/**
 * Editors watch for files that change on the disk, and hold the old text until they have noticed: in
 * milliseconds.
 */
const WATCH_MS = 2_000;

/** Files whose last text is kept in mind. */
const MAX_REMEMBERED = 1_000;

/** The buffers of an editor: what they hold that is not on the disk, and new texts for them. */
export class EditorBuffers {
  readonly #parts: BufferParts;
  /** Digests of the texts that files had on the disk when they were last seen, by their paths. */
  readonly #seen = new Map<string, string>();
  #silent = false;

  constructor(parts: BufferParts) {
    this.#parts = parts;
  }

  /** Whether they are given new texts: not where what they hold unsaved, and would lose, is not told. */
  get takeTexts(): boolean {
    const { readTextFile, writeTextFile } = this.#parts.voice.editor.offers;
    return readTextFile && writeTextFile;
  }

  /**
   * The bytes that a file would have if its buffer were saved now, line ends and byte order mark as
   * on the disk; undefined where it has these already, or the editor does not tell.
   * @throws the signal's reason where that is raised: what is unsaved is not known then.
   */
  async unsaved(
    disk: FileContent,
    given: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { real, mtimeMs } = disk.facts;
    const signal = this.#until(given);
    const saved = this.#textOf(real, disk.bytes);
    if (!saved || !this.#parts.voice.editor.offers.readTextFile) return undefined;
    const before = this.#seen.get(real);
    await this.#note(real, saved.text);
    let buffer = await this.#read(real, signal);
    const waitMs = mtimeMs + WATCH_MS - this.#parts.clock.now();
    if (buffer !== undefined && buffer !== plain(saved.text) && waitMs > 0) {
      if (await digest(buffer) === before) return undefined;
      await this.#parts.clock.sleep(Math.min(waitMs, WATCH_MS), signal);
      buffer = await this.#read(real, signal);
    }
    signal.throwIfAborted();
    if (buffer === undefined || buffer === plain(saved.text)) return undefined;
    const text = lineEnding(saved.text) === "CRLF" ? withBreaks(buffer, "\r\n") : buffer;
    return encodeText(text, saved.bom);
  }

  /** Gives a buffer the text that its file has now, where the editor takes it. */
  async take(real: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const fresh = this.#textOf(real, bytes);
    if (!fresh) return;
    await this.#note(real, fresh.text);
    if (!this.takeTexts) return;
    await this.#ask(
      real,
      this.#until(signal),
      "fs/write_text_file",
      (editor, file, until) =>
        editor.ask("fs/write_text_file", { ...file, content: fresh.text }, until),
    );
  }

  #until(signal: AbortSignal): AbortSignal {
    const turn = this.#parts.turn();
    return turn ? AbortSignal.any([signal, turn]) : signal;
  }

  /** The text of a file that a buffer can hold. */
  #textOf(real: string, bytes: Uint8Array) {
    if (bytes.length > MAX_BUFFER_BYTES || !isInside(real, this.#parts.folder().real)) return;
    const decoded = decodeText(bytes);
    return decoded.ok ? decoded : undefined;
  }

  async #read(real: string, signal: AbortSignal): Promise<string | undefined> {
    const answer = await this.#ask(
      real,
      signal,
      "fs/read_text_file",
      (editor, file, until) => editor.ask("fs/read_text_file", file, until),
    );
    return answer === undefined ? undefined : plain(answer.content.replace(/^\uFEFF/, ""));
  }

  /** Undefined where the editor refuses, or has not answered in time, before or now. */
  async #ask<T>(
    real: string,
    signal: AbortSignal,
    method: "fs/read_text_file" | "fs/write_text_file",
    ask: (
      editor: Editor,
      file: { readonly sessionId: string; readonly path: string },
      until: AbortSignal,
    ) => Promise<T>,
  ): Promise<T | undefined> {
    const { voice, folder } = this.#parts;
    if (voice.id === undefined || this.#silent) return undefined;
    const path = editorPath(real, folder().real, folder());
    using limit = this.#limit();
    const until = AbortSignal.any([signal, limit.signal]);
    try {
      return await ask(voice.editor, { sessionId: voice.id, path }, until);
    } catch (error) {
      // Files that it does not know are refused in words of its own.
      if (signal.aborted) return undefined;
      if (limit.signal.aborted) this.#giveUp();
      else if (method === "fs/write_text_file") {
        voice.note(`The editor did not take the new text of ${path}: ${reasonOf(error)}`);
      }
      return undefined;
    }
  }

  #giveUp(): void {
    this.#silent = true;
    const line = "The editor does not answer for its files: from now on those on the disk count";
    this.#parts.voice.warn(line);
  }

  /** A signal that is raised when an answer takes too long; disposing calls that off. */
  #limit(): Disposable & { readonly signal: AbortSignal } {
    const late = new AbortController();
    const answered = new AbortController();
    void this.#parts.clock.sleep(ANSWER_LIMIT_MS, answered.signal).then(() => {
      if (!answered.signal.aborted) late.abort();
    });
    return { signal: late.signal, [Symbol.dispose]: () => answered.abort() };
  }

  async #note(real: string, text: string): Promise<void> {
    this.#seen.delete(real);
    this.#seen.set(real, await digest(plain(text)));
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }
}

/** Texts compare by their lines: many editors hold all of them with a line feed. */
function plain(text: string): string {
  return withBreaks(text, "\n");
}

async function digest(text: string): Promise<string> {
  return (await versionOf(new TextEncoder().encode(text))).hash;
}
