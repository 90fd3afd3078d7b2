import { Capture } from "./capture.ts";
import type { Captured } from "./commands.ts";
import { controlStripper } from "./control.ts";
import { Spill, type SpillOptions } from "./spill.ts";

export type StreamName = "stdout" | "stderr";

export interface OutputOptions {
  /** Where the whole output goes when it grows large; without it, nowhere. */
  readonly spill?: SpillOptions | undefined;
  /** Text as it comes, control sequences removed. */
  readonly onOutput?: ((stream: StreamName, text: string) => void) | undefined;
}

/** What {@linkcode Output} has kept. */
export interface KeptOutput {
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly spill?: { readonly path: string; readonly bytes: number };
}

/**
 * The output of one command, bounded in memory and on disk: bytes come in, are decoded as UTF-8
 * and freed of control sequences, and are kept as head and tail, in the spill file and shown.
 */
export class Output {
  readonly #stdout: StreamText;
  readonly #stderr: StreamText;
  readonly #spill: Spill | undefined;

  constructor(options: OutputOptions = {}) {
    this.#spill = options.spill && new Spill(options.spill);
    const sink = (stream: StreamName) => (text: string, bytes: Uint8Array) => {
      this.#spill?.write(bytes);
      options.onOutput?.(stream, text);
    };
    this.#stdout = new StreamText(sink("stdout"));
    this.#stderr = new StreamText(sink("stderr"));
  }

  write(stream: StreamName, bytes: Uint8Array): void {
    this.#of(stream).write(bytes);
  }

  /** Ends both streams and closes the spill file; to be called once. */
  close(): KeptOutput {
    const stdout = this.#stdout.close();
    const stderr = this.#stderr.close();
    const spill = this.#spill?.close();
    return spill ? { stdout, stderr, spill } : { stdout, stderr };
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
  readonly #stripper = controlStripper();
  readonly #capture = new Capture();
  readonly #sink: (text: string, bytes: Uint8Array) => void;
  #bytes = 0;

  constructor(sink: (text: string, bytes: Uint8Array) => void) {
    this.#sink = sink;
  }

  write(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#keep(this.#stripper.strip(this.#decoder.decode(bytes, { stream: true })));
  }

  close(): Captured {
    this.#keep(this.#stripper.strip(this.#decoder.decode()) + this.#stripper.end());
    return this.#capture.result(this.#bytes);
  }

  #keep(text: string): void {
    if (text === "") return;
    const bytes = this.#encoder.encode(text);
    this.#capture.write(bytes);
    this.#sink(text, bytes);
  }
}
