import { Capture } from "./capture.ts";
import type { Captured, Look, Spilled } from "./commands.ts";
import { type ControlStripper, controlStripper } from "./control.ts";
import { Spill, type SpillOptions } from "./spill.ts";

export type StreamName = "stdout" | "stderr";

export interface OutputOptions {
  /** Where the whole output goes when it grows large; without it, nowhere. */
  readonly spill?: SpillOptions | undefined;
  /** What cleans each stream; default: it takes control sequences out. */
  readonly clean?: (() => ControlStripper) | undefined;
  /** Text as it comes, cleaned. */
  readonly onOutput?: OutputListener | undefined;
}

/** Is called with clean text as it comes. */
export type OutputListener = (stream: StreamName, text: string) => void;

/**
 * The output of one command, bounded in memory and on disk: bytes come in, are decoded as UTF-8
 * and freed of control sequences, and are kept as head and tail of what nobody has looked at, in
 * the spill file and shown.
 */
export class Output {
  readonly #stdout: StreamText;
  readonly #stderr: StreamText;
  readonly #spill: Spill | undefined;
  readonly #listeners = new Set<OutputListener>();
  #textBytes = 0;

  constructor(options: OutputOptions = {}) {
    this.#spill = options.spill && new Spill(options.spill);
    if (options.onOutput) this.#listeners.add(options.onOutput);
    const sink = (stream: StreamName) => (text: string, bytes: Uint8Array) => {
      this.#textBytes += bytes.length;
      this.#spill?.write(bytes);
      for (const listener of this.#listeners) listener(stream, text);
    };
    const { clean = controlStripper } = options;
    this.#stdout = new StreamText(clean(), sink("stdout"));
    this.#stderr = new StreamText(clean(), sink("stderr"));
  }

  write(stream: StreamName, bytes: Uint8Array): void {
    this.#of(stream).write(bytes);
  }

  /** Calls the listener with what comes from now on, until disposed. */
  listen(listener: OutputListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** What has come since the look before. */
  look(): Look {
    return this.#keep(this.#stdout.take(), this.#stderr.take(), this.#spill?.kept);
  }

  /** The same without counting as a look. */
  peek(): Look {
    return this.#keep(this.#stdout.peek(), this.#stderr.peek(), this.#spill?.kept);
  }

  /**
   * Ends both streams and closes the spill file; answers what no look has shown. Whoever holds on to
   * this afterwards holds no memory for output.
   */
  close(): Look {
    for (const stream of [this.#stdout, this.#stderr]) stream.end();
    this.#listeners.clear();
    const rest = this.#keep(this.#stdout.take(), this.#stderr.take(), this.#spill?.close());
    for (const stream of [this.#stdout, this.#stderr]) stream.release();
    return rest;
  }

  #keep(stdout: Captured, stderr: Captured, spill: Omit<Spilled, "of"> | undefined): Look {
    return { stdout, stderr, ...(spill && { spill: { ...spill, of: this.#textBytes } }) };
  }

  #of(stream: StreamName): StreamText {
    return stream === "stdout" ? this.#stdout : this.#stderr;
  }
}

/** One stream on its way from bytes to clean text. */
class StreamText {
  // `ignoreBOM` keeps a BOM: the text is as the command wrote it.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  readonly #stripper: ControlStripper;
  #capture = new Capture();
  readonly #sink: (text: string, bytes: Uint8Array) => void;
  #bytes = 0;

  constructor(stripper: ControlStripper, sink: (text: string, bytes: Uint8Array) => void) {
    this.#stripper = stripper;
    this.#sink = sink;
  }

  write(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#keep(this.#stripper.strip(this.#decoder.decode(bytes, { stream: true })));
  }

  /** What has come since it was taken. */
  peek(): Captured {
    return this.#capture.result(this.#bytes);
  }

  /** The same, taken. */
  take(): Captured {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return this.#capture.take(bytes);
  }

  /** No more bytes come: what was held back as the start of something longer is text. */
  end(): void {
    this.#keep(this.#stripper.strip(this.#decoder.decode()) + this.#stripper.end());
  }

  /** No text comes any more, and none is kept. */
  release(): void {
    this.#capture = new Capture(0);
  }

  #keep(text: string): void {
    if (text === "") return;
    const bytes = this.#encoder.encode(text);
    this.#capture.write(bytes);
    this.#sink(text, bytes);
  }
}
