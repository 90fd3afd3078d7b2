import type { TextStream } from "../stream.ts";
import { isGone, type Size, terminalSize } from "../terminal_size.ts";
import { type Key, KeyDecoder } from "./keys.ts";

/** An ESC with nothing behind it for so long was the key; what a slow line tears is joined. In ms. */
const ESCAPE_MS = 30;

/** Taken from a terminal at once: a paste comes in many of them. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Pastes are marked; keys with modifiers are told apart (kitty's protocol, and xterm's); the focus is
 * told (xterm); the window's title is kept for later (xterm).
 */
const MODES_ON = "\x1b[?2004h\x1b[>1u\x1b[>4;1m\x1b[?1004h\x1b[22;2t";
const MODES_OFF = "\x1b[23;2t\x1b[?1004l\x1b[>4m\x1b[<u\x1b[?2004l\x1b[?2026l\x1b[?25h";

/** A Linux console would print parts of what it does not know. */
const CONSOLE_ON = "\x1b[?2004h";
const CONSOLE_OFF = "\x1b[?25h";

/** Who is told what happens at a terminal. */
export interface TerminalListener {
  /** What it resolves to is waited for before another key is read. */
  onKey(key: Key): void | Promise<void>;
  /** The window has got the focus, or lost it. */
  onFocus(isAway: boolean): void;
  /** Another size, or back after the program was stopped. */
  onChange(): void;
  /** The terminal is gone. */
  onEnd(): void;
}

/**
 * The terminal on stdin and stdout, key by key. It is given back as it was found: on disposal, while
 * another program has it, and when the process ends in whatever way it is told of.
 */
export class TerminalDevice implements Disposable {
  readonly #out: TextStream;
  #listener: TerminalListener = { onKey() {}, onFocus() {}, onChange() {}, onEnd() {} };
  readonly #isConsole: boolean;
  readonly #giveBack = () => this.#leaveNow();
  readonly #tellChange = () => this.#listener.onChange();
  readonly #takeAgain = () => {
    if (this.#isClosed || this.#isLent) return;
    this.#isRaw = false;
    this.#enter();
    this.#listener.onChange();
  };
  #isRaw = false;
  #isLent = false;
  #isClosed = false;

  /** `terminal` is the variable TERM. */
  constructor(out: TextStream, terminal: string | undefined) {
    this.#out = out;
    this.#isConsole = terminal === "linux";
  }

  /** Takes the terminal, and reads keys from now on. */
  open(listener: TerminalListener): void {
    this.#listener = listener;
    this.#enter();
    for (const event of LAST_EVENTS) globalThis.addEventListener(event, this.#giveBack);
    if (Deno.build.os !== "windows") {
      Deno.addSignalListener("SIGWINCH", this.#tellChange);
      Deno.addSignalListener("SIGCONT", this.#takeAgain);
    }
    void this.#read();
  }

  get size(): Size {
    return terminalSize();
  }

  /** Writes, and resolves when the terminal has taken it. */
  async write(text: string): Promise<void> {
    this.#out.write(text);
    await this.#out.flush();
  }

  /** Writes what draws nothing; a console, which has neither titles nor notices, gets none of it. */
  signal(text: string): void {
    if (this.#isRaw && !this.#isConsole) this.#out.write(text);
  }

  /** Gives the terminal to something else until that has ended. To be awaited by `onKey`. */
  async lend<T>(act: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    await this.#leave();
    try {
      return await act();
    } finally {
      this.#isLent = false;
      this.#enter();
      this.#listener.onChange();
    }
  }

  /**
   * Stops the program as Ctrl-Z does elsewhere, until it is continued. To be awaited by `onKey`.
   * @throws {Deno.errors.NotCapable} where this process may not send itself a signal.
   */
  async suspend(): Promise<void> {
    await this.lend(() => {
      // The whole group, as the terminal would: a shell waits for who started us.
      Deno.kill(0, "SIGTSTP");
      return Promise.resolve();
    });
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#leaveNow();
    this.#isClosed = true;
    for (const event of LAST_EVENTS) globalThis.removeEventListener(event, this.#giveBack);
    if (Deno.build.os === "windows") return;
    Deno.removeSignalListener("SIGWINCH", this.#tellChange);
    Deno.removeSignalListener("SIGCONT", this.#takeAgain);
  }

  #enter(): void {
    if (this.#isRaw) return;
    this.#isRaw = setRaw(true);
    this.#out.write(this.#isConsole ? CONSOLE_ON : MODES_ON);
  }

  async #leave(): Promise<void> {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    await this.write(this.#isConsole ? CONSOLE_OFF : MODES_OFF);
    setRaw(false);
  }

  /** The same at the end of the process, when nothing can be waited for. */
  #leaveNow(): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    writeNow(this.#isConsole ? CONSOLE_OFF : MODES_OFF);
    setRaw(false);
  }

  async #read(): Promise<void> {
    const text = new TextDecoder();
    const keys = new KeyDecoder();
    const buffer = new Uint8Array(CHUNK_BYTES);
    let timer: ReturnType<typeof setTimeout> | undefined;
    while (!this.#isClosed) {
      const count = await readSome(buffer);
      clearTimeout(timer);
      if (count === null) return this.#listener.onEnd();
      const piece = text.decode(buffer.subarray(0, count), { stream: true });
      await this.#tell(keys.push(piece));
      if (keys.waits) timer = setTimeout(() => void this.#tell(keys.flush()), ESCAPE_MS);
    }
  }

  async #tell(keys: readonly Key[]): Promise<void> {
    for (const key of keys) {
      const name = key.kind === "key" ? key.name : "";
      if (name === "focus" || name === "blur") this.#listener.onFocus(name === "blur");
      else await this.#listener.onKey(key);
    }
  }
}

/** How the end of a process is told of; errors that nobody caught come before `unload`, or without. */
const LAST_EVENTS = ["unload", "error", "unhandledrejection"] as const;

/** Null at the end of input, and where the terminal is gone. */
async function readSome(buffer: Uint8Array): Promise<number | null> {
  try {
    return await Deno.stdin.read(buffer);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Whether the mode was set; a terminal that is gone has none. */
function setRaw(raw: boolean): boolean {
  try {
    Deno.stdin.setRaw(raw);
    return raw;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function writeNow(text: string): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(text));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
