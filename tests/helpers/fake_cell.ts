import { encodeMessage, type Message, MessageReader } from "../../sandbox/cell/frames.ts";
import type { PipedProcess, PipedStatus } from "../../sandbox/commands/piped_process.ts";

/** A cell's side of the pipes, for a test that plays a broken or hostile one. */
export interface FakeCell {
  /** What the warden sends, message by message; when it has closed its side, the cell ends. */
  next(): Promise<Message>;
  send(head: unknown, body?: Uint8Array): Promise<void>;
  /** Writes bytes as they are; waits until they are read. */
  write(bytes: Uint8Array): Promise<void>;
  complain(text: string): Promise<void>;
  exit(code: number): Promise<void>;
}

/** A process that is none, and whether it was killed. */
export interface FakeProcess extends PipedProcess {
  readonly killed: boolean;
}

/** Starts the play; what it throws after its end is of no interest. */
export function fakeCell(play: (cell: FakeCell) => Promise<void>): FakeProcess {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const errors = new TransformStream<Uint8Array, Uint8Array>();
  const writer = output.writable.getWriter();
  const complaints = errors.writable.getWriter();
  const ended = Promise.withResolvers<PipedStatus>();
  const messages = readAll(input.readable);
  let over = false;
  let killed = false;

  async function end(status: PipedStatus): Promise<void> {
    if (over) return;
    over = true;
    ended.resolve(status);
    await Promise.allSettled([writer.close(), complaints.close(), messages.return(undefined)]);
  }

  const cell: FakeCell = {
    async next() {
      const { value, done } = await messages.next();
      if (!done) return value;
      await end({ code: 0, signal: null });
      throw new Error("the warden says nothing more");
    },
    async send(head, body) {
      for (const frame of encodeMessage(head, body)) await writer.write(frame);
    },
    write: (bytes) => writer.write(bytes),
    complain: (text) => complaints.write(new TextEncoder().encode(text)),
    exit: (code) => end({ code, signal: null }),
  };
  play(cell).catch((error) => {
    if (!over) throw error;
  });
  return {
    pid: 0,
    stdin: input.writable,
    stdout: output.readable,
    stderr: errors.readable,
    status: ended.promise,
    get killed() {
      return killed;
    },
    kill() {
      killed ||= !over;
      end({ code: 137, signal: "SIGKILL" });
    },
  };
}

async function* readAll(input: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = new MessageReader();
  for await (const piece of input) yield* reader.read(piece);
}
