import type { Splice, WriteFiles } from "../files/files.ts";
import { packFindings } from "../sweep/findings_message.ts";
import { createSweeper, type Sweeper } from "../sweep/sweeper.ts";
import { createFiles } from "../files/guarded_files.ts";
import { packItems, packSurvey } from "./bulk.ts";
import { failureOf } from "./failure.ts";
import { type Message, MessageReader, ProtocolError } from "./frames.ts";
import {
  type Call,
  type Cut,
  type FromCell,
  isReadOnly,
  PROTOCOL_VERSION,
  type Request,
  type Setup,
  type ToCell,
} from "./messages.ts";
import { runRipgrep } from "./ripgrep_in_cell.ts";
import { Sender } from "./sender.ts";

/** The pipes of a cell. */
export interface CellStreams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Called when the warden has said what is served, before anything is. */
  onSetup(setup: Setup): void;
}

/**
 * Serves the capability `files` and the sweeps of the workspace until the warden closes its side. Requests are worked on at once;
 * what changes files is finished before this resolves.
 * @throws {ProtocolError} where what comes are no requests.
 */
export async function serveFiles({ input, output, onSetup }: CellStreams): Promise<void> {
  const sender = new Sender(output);
  const messages = readMessages(input);
  const first = await messages.next();
  if (first.done) return;
  const setup = setupOf(first.value);
  onSetup(setup);
  const hello: FromCell = { type: "hello", version: PROTOCOL_VERSION };
  await sender.send(hello);
  if (setup.version !== PROTOCOL_VERSION) return;
  const desk = new Desk(setup, sender);
  for await (const message of messages) desk.take(message);
  await desk.writesDone();
}

async function* readMessages(input: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = new MessageReader();
  for await (const piece of input) yield* reader.read(piece);
  reader.end();
}

function setupOf({ head }: Message): Setup {
  const message = toCell(head);
  if (message.type !== "hello") throw new ProtocolError("the first message is no hello");
  return message;
}

/** Looks only at what decides here: the warden is the one that the cell obeys. */
function toCell(head: unknown): ToCell {
  if (typeof head === "object" && head !== null && "type" in head) {
    // A cast: both sides are one program, whose version the hello compares.
    return head as ToCell;
  }
  throw new ProtocolError("a message has no type");
}

/** What works on requests. */
interface Worker {
  readonly files: WriteFiles;
  /** Of the workspace; opened when it is first needed. */
  readonly sweeper: () => Sweeper;
}

/** Where requests are worked on. */
class Desk {
  readonly #worker: Worker;
  readonly #sender: Sender;
  readonly #cancelled = new Set<number>();
  readonly #working = new Set<number>();
  readonly #writes = new Set<Promise<void>>();
  #cwd = "/";

  constructor({ roots, home, ripgrep }: Setup, sender: Sender) {
    this.#sender = sender;
    let sweeper: Sweeper | undefined;
    this.#worker = {
      files: createFiles({
        roots,
        cwd: () => this.#cwd,
        ...(home !== undefined && { home }),
        ...(ripgrep && { search: runRipgrep }),
      }),
      sweeper: () => sweeper ??= openSweeper(roots.workspace),
    };
  }

  take({ head, body }: Message): void {
    const message = toCell(head);
    switch (message.type) {
      case "request":
        return this.#begin(message, body);
      case "cancel":
        if (this.#working.has(message.id)) this.#cancelled.add(message.id);
        return;
      case "hello":
        throw new ProtocolError("a second hello came");
    }
  }

  async writesDone(): Promise<void> {
    await Promise.all(this.#writes);
  }

  #begin(request: Request, body: Uint8Array): void {
    this.#working.add(request.id);
    const work = this.#answer(request, body).finally(() => {
      this.#working.delete(request.id);
      this.#cancelled.delete(request.id);
    });
    if (isReadOnly(request.call)) return;
    this.#writes.add(work);
    work.finally(() => this.#writes.delete(work));
  }

  /** Every request gets exactly one answer, a short one where it was cancelled meanwhile. */
  async #answer({ id, cwd, call }: Request, body: Uint8Array): Promise<void> {
    try {
      const { value, bytes } = withoutBytes(await this.#run(cwd, call, body));
      if (this.#cancelled.has(id)) throw new DOMException("cancelled", "AbortError");
      await this.#send({ type: "answer", id, value }, bytes);
    } catch (error) {
      await this.#fail(id, error);
    }
  }

  async #fail(id: number, error: unknown): Promise<void> {
    try {
      await this.#send({ type: "failure", id, failure: failureOf(error) });
    } catch {
      // Nobody reads any more; the end of the input says so in a moment.
    }
  }

  async #run(cwd: string, call: Call, body: Uint8Array): Promise<object> {
    // The guard asks for it before anything is awaited, so each request has its own.
    this.#cwd = cwd;
    return await perform(this.#worker, call, body);
  }

  async #send(head: FromCell, bytes?: Uint8Array): Promise<void> {
    await this.#sender.send(head, bytes);
  }
}

/**
 * The filter of every view lets nobody set set-id bits, so they are not looked for. A look has no
 * number that a look of an earlier cell has had.
 */
function openSweeper(workspace: string): Sweeper {
  return createSweeper(Deno.realPathSync(workspace), {
    setIds: false,
    firstLook: Date.now() * 1e3,
  });
}

async function perform(
  { files, sweeper }: Worker,
  call: Call,
  body: Uint8Array,
): Promise<object> {
  switch (call.method) {
    case "stat":
      return files.stat(call.path);
    case "read":
      return files.read(call.path, { maxBytes: call.maxBytes });
    case "list":
      return files.list(call.path);
    case "walk":
      return files.walk(call.query);
    case "search":
      return files.search(call.query);
    case "survey":
      return packSurvey(await files.survey(call.path));
    case "read_many":
      return packItems(await files.readMany(call.query));
    case "create":
      return files.create(call.path, body, call.mode === undefined ? {} : { mode: call.mode });
    case "replace":
      return files.replace(call.path, call.expected, splicesOf(call.splices, body));
    case "remove":
      return files.remove(call.path, call.expected);
    case "sweep_before":
      return { look: await sweeper().before() };
    case "sweep_after": {
      const { value, body: bytes } = packFindings(await sweeper().after(call.look));
      return { ...value, bytes };
    }
    case "sweep_undo":
      return await sweeper().undo(call.look);
    case "sweep_secrets":
      return { secrets: await sweeper().secrets() };
  }
}

function splicesOf(cuts: readonly Cut[], body: Uint8Array): Splice[] {
  let at = 0;
  return cuts.map(({ start, end, length }) => {
    const bytes = body.subarray(at, at + length);
    at += length;
    return { start, end, bytes };
  });
}

/** The bytes of a content, which travel apart: of a file that was read, or found instead. */
function withoutBytes(answer: object): { value: object; bytes?: Uint8Array } {
  if ("bytes" in answer && answer.bytes instanceof Uint8Array) {
    const { bytes, ...value } = answer;
    return { value, bytes };
  }
  if ("current" in answer && typeof answer.current === "object" && answer.current !== null) {
    const { value: current, ...rest } = withoutBytes(answer.current);
    return { value: { ...answer, current }, ...rest };
  }
  return { value: answer };
}
