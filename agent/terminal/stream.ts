/** Something that bytes can be written to: stdout, stderr. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Text on its way to a stream, in order and without blocking whoever writes. */
export interface TextStream {
  write(text: string): void;
  /** Resolves when everything written so far has gone out, or the reader is gone. */
  flush(): Promise<void>;
  /**
   * Raised when nothing more can be written, its reason the error: `BrokenPipe` where the reader is
   * gone. What is written after that is dropped.
   */
  readonly closed: AbortSignal;
}

/** What is on its way. Streams that end at one terminal share it: what is written first is seen first. */
export interface OnItsWay {
  last: Promise<void>;
}

/** Nothing yet. */
export function nothingOnItsWay(): OnItsWay {
  return { last: Promise.resolve() };
}

/** Writes text to a sink piece by piece, as fast as its reader takes it. */
export function textStream(sink: ByteSink, onItsWay: OnItsWay = nothingOnItsWay()): TextStream {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  async function writeAll(text: string): Promise<void> {
    if (gone.signal.aborted) return;
    const bytes = encoder.encode(text);
    try {
      for (let sent = 0; sent < bytes.length;) sent += await sink.write(bytes.subarray(sent));
    } catch (error) {
      gone.abort(error);
    }
  }
  return {
    closed: gone.signal,
    write(text) {
      onItsWay.last = onItsWay.last.then(() => writeAll(text));
    },
    flush: () => onItsWay.last,
  };
}
