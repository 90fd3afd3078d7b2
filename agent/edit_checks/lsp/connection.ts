import type { OpenProcess } from "../../../sandbox/commands/open_process.ts";
import { encodeFrame, FrameError, FrameReader } from "./frames.ts";

/** What a server asks and tells us. */
export interface ServerListener {
  /** The answer to a request; undefined where we do not know it. */
  asked(method: string, params: unknown): { readonly result: unknown } | undefined;
  told(method: string, params: unknown): void;
}

/** A request that was not answered: the server is gone, or said that it cannot. */
export class ServerError extends Error {
  override readonly name = "ServerError";
}

/** Method not found (JSON-RPC 2.0). */
const UNKNOWN_METHOD = -32601;

/** JSON-RPC with a program that speaks the language server protocol over its pipes. */
export class ServerConnection {
  readonly #process: OpenProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #listener: ServerListener;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ended = Promise.withResolvers<string>();
  #lastId = 0;
  #why: string | undefined;

  constructor(process: OpenProcess, listener: ServerListener) {
    this.#process = process;
    this.#listener = listener;
    this.#writer = process.stdin.getWriter();
    // Its words for people are nothing to us, and must not fill the pipe.
    void drain(process.stderr);
    void this.#read();
    void process.status.then(({ code, signal }) =>
      this.#end(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`)
    );
  }

  /** Why nothing can be asked any more, in half a sentence; undefined while it can. */
  get why(): string | undefined {
    return this.#why;
  }

  /** Resolves with `why` once nothing can be asked any more. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /**
   * Asks for something.
   * @throws {ServerError} where there is no answer.
   */
  async ask(method: string, params: unknown): Promise<unknown> {
    if (this.#why !== undefined) throw new ServerError(this.#why);
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#send({ id, method, params });
    return await waiting.promise;
  }

  tell(method: string, params: unknown): void {
    if (this.#why === undefined) this.#send({ method, params });
  }

  /** Ends the program. */
  async kill(): Promise<void> {
    this.#end("it was stopped");
    await this.#process.kill();
  }

  #send(message: object): void {
    // A pipe that broke is told by the program's end.
    this.#writer.write(encodeFrame({ jsonrpc: "2.0", ...message })).catch(() => {});
  }

  async #read(): Promise<void> {
    const reader = new FrameReader();
    try {
      for await (const piece of this.#process.stdout) {
        for (const message of reader.take(piece)) this.#take(message);
      }
    } catch (error) {
      if (!(error instanceof FrameError)) return this.#end("its output broke off");
      this.#end(error.message);
      await this.#process.kill();
    }
  }

  #take(message: unknown): void {
    if (typeof message !== "object" || message === null) return;
    const { id, method, params, result, error } = message as Readonly<Record<string, unknown>>;
    if (typeof method === "string") {
      if (id === undefined) return this.#listener.told(method, params);
      const answer = this.#listener.asked(method, params);
      return this.#send({
        id,
        ...(answer ?? { error: { code: UNKNOWN_METHOD, message: method } }),
      });
    }
    if (typeof id !== "number") return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined || error === null) waiting?.resolve(result);
    else waiting?.reject(new ServerError("it refused a request"));
  }

  #end(why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    for (const { promise, reject } of this.#waiting.values()) {
      promise.catch(() => {});
      reject(new ServerError(why));
    }
    this.#waiting.clear();
    this.#ended.resolve(why);
  }
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  // A pipe that breaks has nothing more to say.
  await stream.pipeTo(new WritableStream()).catch(() => {});
}
