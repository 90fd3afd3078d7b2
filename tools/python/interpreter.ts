import { CommandError, type Commands } from "../../sandbox/commands/commands.ts";
import type { OpenProcess, OutputCollector } from "../../sandbox/commands/open_process.ts";
import { Pipe } from "../../sandbox/commands/pipe.ts";
import { after, stopAt } from "../../sandbox/commands/timers.ts";
import { interpreterArguments, withLength } from "./find_interpreter.ts";
import { FrameReader } from "./frames.ts";
import {
  type CellFailure,
  type DrawnImage,
  type DriverMessage,
  type DriverRequest,
  parseMessage,
  type PythonFunction,
} from "./messages.ts";

/** An interpreter that has not come up after this does not come up, in milliseconds. */
const START_LIMIT_MS = 30_000;

/** How long an interrupted cell may take to end before its interpreter is killed, in milliseconds. */
const INTERRUPT_GRACE_MS = 2_000;

/** How long after the interpreter's end its pipes are still read, in milliseconds. */
const DRAIN_MS = 250;

/** What one cell is run with. */
export interface CellRun {
  readonly code: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes what the cell, and what it started, writes. */
  readonly output: OutputCollector;
  /** Runs a tool for the cell. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallReply>;
}

/** The answer to a call from Python. */
export type CallReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** How a cell ended. */
export interface CellEnd {
  readonly failure?: CellFailure;
  readonly images: readonly DrawnImage[];
  /** What stopped it from outside. */
  readonly stopped?: "timeout" | "abort";
  /** Set where the interpreter ended with it: its variables are lost. */
  readonly died?: { readonly code: number; readonly signal: string | null };
}

/** A Python that keeps its variables from cell to cell; one cell at a time. */
export class Interpreter {
  readonly #commands: Commands;
  readonly #child: OpenProcess;
  readonly #requests: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pipes: readonly Pipe[];
  readonly #readers: readonly FrameReader[];
  readonly #ready = Promise.withResolvers<void>();
  /** Takes what is written between cells, once something is. */
  #idle: OutputCollector | undefined;
  #cell: RunningCell | undefined;
  #cells = 0;
  #alive = true;

  private constructor(commands: Commands, child: OpenProcess, key: string) {
    this.#commands = commands;
    this.#child = child;
    this.#requests = child.stdin.getWriter();
    const reader = (stream: "stdout" | "stderr") =>
      new FrameReader(key, {
        onBytes: (bytes) => this.#output().write(stream, bytes),
        onMessage: (message) => this.#take(stream, parseMessage(message)),
      });
    const readers = [reader("stdout"), reader("stderr")] as const;
    this.#readers = readers;
    this.#pipes = [
      new Pipe(child.stdout, (bytes) => readers[0].write(bytes)),
      new Pipe(child.stderr, (bytes) => readers[1].write(bytes)),
    ];
    child.status.then(() => {
      this.#alive = false;
      // Else its descriptor stays; that nobody reads any more is no news.
      this.#requests.close().catch(() => {});
    });
  }

  /**
   * Starts the project's interpreter (`find_interpreter.ts`) with the tools as functions.
   * @throws {CommandError} where none comes up; the message ends with what it said.
   */
  static async start(
    commands: Commands,
    functions: readonly PythonFunction[],
  ): Promise<Interpreter> {
    const key = crypto.randomUUID();
    const child = await commands.open(interpreterArguments(commands.shell.workspace), {
      env: { MPLBACKEND: "Agg", PYTHONIOENCODING: "utf-8" },
    });
    const interpreter = new Interpreter(commands, child, key);
    const driver = await import("./driver.py", { with: { type: "bytes" } });
    await interpreter.#send(withLength(driver.default));
    await interpreter.#request({ start: { key, functions } });
    using limit = after(START_LIMIT_MS);
    const up = interpreter.#ready.promise.then(() => true);
    if (await Promise.race([up, child.status.then(() => false), limit.passed])) return interpreter;
    await interpreter.kill();
    const said = interpreter.#output().close().stderr.head.trim();
    throw new CommandError(`Cannot start Python: ${said || "it does not come up"}`);
  }

  /** False once its process has ended. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Runs a cell to its end, its time limit or the abort; ends in time, whatever the cell does. */
  async run(cell: CellRun): Promise<CellEnd> {
    const id = ++this.#cells;
    const running = new RunningCell(id, cell);
    if (this.#idle) passOn(this.#idle, cell.output);
    this.#idle = undefined;
    this.#cell = running;
    const sent = this.#request({ run: { id, code: cell.code } });
    const stopped = await this.#untilEnd(running, cell);
    if (!this.#alive) await this.#drain();
    await sent;
    // What threads and programs still write stands before the next cell's.
    this.#cell = undefined;
    const { failure, images } = running;
    const died = this.#alive ? undefined : await this.#child.status;
    return {
      ...(failure && { failure }),
      images,
      ...(stopped && { stopped }),
      ...(died && { died }),
    };
  }

  /** Ends it for certain, with all that it started. */
  async kill(): Promise<void> {
    await this.#child.kill();
    await this.#drain();
  }

  async #untilEnd(
    running: RunningCell,
    { timeoutMs, signal }: CellRun,
  ): Promise<"timeout" | "abort" | undefined> {
    const ended = Promise.race([running.done, this.#child.status]).then(() => undefined);
    using limit = stopAt(timeoutMs, signal);
    const stopped = await Promise.race([ended, limit.reached]);
    if (stopped === undefined) return undefined;
    await this.#request({ interrupt: running.id });
    using grace = after(INTERRUPT_GRACE_MS);
    const late = await Promise.race([ended.then(() => false), grace.passed.then(() => true)]);
    if (late) {
      await this.#child.kill();
      this.#alive = false;
    }
    return stopped;
  }

  #output(): OutputCollector {
    return this.#cell?.run.output ?? (this.#idle ??= this.#commands.collect());
  }

  async #drain(): Promise<void> {
    await Promise.all(this.#pipes.map((pipe) => pipe.finish(DRAIN_MS)));
    for (const reader of this.#readers) reader.end();
  }

  #take(stream: "stdout" | "stderr", message: DriverMessage | undefined): void {
    if (message === undefined) return;
    if ("ready" in message) return this.#ready.resolve();
    const cell = this.#cell;
    if (!cell) return;
    if ("done" in message) {
      if (message.done.id === cell.id) cell.sawEnd(stream, message.done.failure ?? undefined);
    } else if ("image" in message) cell.images.push(message.image);
    else this.#answer(cell, message.call);
  }

  async #answer(cell: RunningCell, { id, name, arguments: args }: Call): Promise<void> {
    const reply = await cell.run.call(name, args);
    await this.#request(
      reply.ok ? { reply: { id, value: reply.value } } : { reply: { id, problem: reply.problem } },
    );
  }

  async #request(request: DriverRequest): Promise<void> {
    await this.#send(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
  }

  async #send(bytes: Uint8Array): Promise<void> {
    try {
      await this.#requests.write(bytes);
    } catch (error) {
      // It has ended, which its status tells.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  }
}

type Call = Extract<DriverMessage, { call: unknown }>["call"];

/** A cell on its way: it has ended when both streams have said so. */
class RunningCell {
  readonly id: number;
  readonly run: CellRun;
  readonly images: DrawnImage[] = [];
  readonly done: Promise<void>;
  failure: CellFailure | undefined;
  readonly #waiting = new Set<string>(["stdout", "stderr"]);
  readonly #end: () => void;

  constructor(id: number, run: CellRun) {
    this.id = id;
    this.run = run;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#end = resolve;
  }

  sawEnd(stream: "stdout" | "stderr", failure: CellFailure | undefined): void {
    this.failure ??= failure;
    this.#waiting.delete(stream);
    if (this.#waiting.size === 0) this.#end();
  }
}

/** Hands on what was collected between two cells. */
function passOn(idle: OutputCollector, output: OutputCollector): void {
  const { stdout, stderr } = idle.close();
  const encoder = new TextEncoder();
  output.write("stdout", encoder.encode(stdout.head + stdout.tail));
  output.write("stderr", encoder.encode(stderr.head + stderr.tail));
}
