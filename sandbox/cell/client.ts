import { type FileContent, MAX_FILE_BYTES, type Splice, type WriteFiles } from "../files/files.ts";
import { refuse, type Roots } from "../files/guard.ts";
import type { PipedProcess } from "../commands/piped_process.ts";
import { parseValue, type Value } from "./answers.ts";
import { unpackItems, unpackSurvey } from "./bulk.ts";
import { MAX_BODY_BYTES, ProtocolError } from "./frames.ts";
import type { Call, Method } from "./messages.ts";
import { Supervisor } from "./supervisor.ts";
import { sweeperThrough } from "./sweeper_client.ts";
import type { Sweeper } from "../sweep/sweeper.ts";

/** How long an operation may take, in milliseconds; past it the cell hangs and is ended. */
export const REQUEST_TIMEOUT_MS = 30_000;

export interface CellOptions {
  /** Starts a process that runs the cell (`main.ts`). */
  spawn(): PipedProcess | Promise<PipedProcess>;
  readonly roots: Roots;
  /** What a leading `~/` means. */
  readonly home?: string;
  /** Whether searches may use the `rg` that the process finds; default not. */
  readonly ripgrep?: boolean;
  /** Absolute; asked at the start of each call, before anything is awaited. */
  cwd(): string;
  /** Default {@linkcode REQUEST_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

/**
 * The capability `files`, served by a cell. It is started by the first request, or before by
 * `start`; one that died is replaced for the next request. A request that only looks survives the
 * loss of a cell; one that changes files fails then, since nobody knows how far it came.
 */
export interface CellFiles extends WriteFiles, AsyncDisposable {
  /** Sweeps of the workspace, by the same cell. */
  readonly sweeper: Sweeper;
  /** Starts the cell, so that the first request need not wait; what fails the request will tell. */
  start(): void;
  /** The same files, whose requests are given up when the signal is raised. */
  abortedBy(signal: AbortSignal): WriteFiles;
}

/** `files` through a cell. Disposing it ends the cell. */
export function createCellFiles(options: CellOptions): CellFiles {
  const { spawn, roots, home, ripgrep = false } = options;
  const setup = { roots, ripgrep, ...(home !== undefined && { home }) };
  const supervisor = new Supervisor({ spawn, setup });
  return {
    ...filesThrough(supervisor, options),
    sweeper: sweeperThrough(supervisor, options.timeoutMs ?? REQUEST_TIMEOUT_MS),
    start: () => supervisor.start(),
    abortedBy: (signal) => filesThrough(supervisor, options, signal),
    [Symbol.asyncDispose]: () => supervisor.end(),
  };
}

/** What a call holds besides its method. */
type Arguments<M extends Method> = Omit<Extract<Call, { readonly method: M }>, "method">;

type Bytes = Uint8Array<ArrayBuffer>;

function filesThrough(
  supervisor: Supervisor,
  { cwd, timeoutMs = REQUEST_TIMEOUT_MS }: CellOptions,
  signal?: AbortSignal,
): WriteFiles {
  /** Asks for an operation on a path; `parse` joins its value with the bytes that came. */
  function ask<M extends Method, T = Value<M>>(
    method: M,
    path: string,
    args: Arguments<M>,
    { parse, body }: { parse(value: Value<M>, bytes: Bytes): T; body?: Uint8Array },
  ): Promise<T> {
    return supervisor.ask({
      // A cast: the compiler does not see that method and arguments belong together again.
      call: { method, ...args } as unknown as Call,
      what: `${method} "${path}"`,
      cwd: cwd(),
      timeoutMs,
      signal,
      ...(body && { body }),
      parse: (value, bytes) => parse(parseValue(method, value), bytes),
    });
  }
  return {
    stat: (path) => ask("stat", path, { path }, { parse: asIs }),
    read(path, { maxBytes = MAX_FILE_BYTES } = {}) {
      const args = { path, maxBytes: Math.min(maxBytes, MAX_FILE_BYTES) };
      return ask("read", path, args, { parse: withBytes });
    },
    list: (path) => ask("list", path, { path }, { parse: asIs }),
    walk: (query) => ask("walk", query.path, { query }, { parse: asIs }),
    search: (query) => ask("search", query.path, { query }, { parse: asIs }),
    survey: (path) => ask("survey", path, { path }, { parse: unpackSurvey }),
    readMany: (query) => ask("read_many", query.folder, { query }, { parse: unpackItems }),
    async create(path, bytes, { mode } = {}) {
      if (bytes.length > MAX_BODY_BYTES) return tooLarge(path, bytes.length);
      const args = { path, ...(mode !== undefined && { mode }) };
      return await ask("create", path, args, { parse: asIs, body: bytes });
    },
    async replace(path, expected, splices) {
      const body = joined(splices);
      if (body.length > MAX_BODY_BYTES) return tooLarge(path, body.length);
      const cuts = splices.map(({ start, end, bytes }) => ({ start, end, length: bytes.length }));
      const args = { path, expected, splices: cuts };
      return await ask("replace", path, args, { parse: withCurrent, body });
    },
    remove: (path, expected) => ask("remove", path, { path, expected }, { parse: withCurrent }),
  };
}

function asIs<T>(value: T): T {
  return value;
}

function withBytes(value: Value<"read">, bytes: Bytes) {
  return value.ok ? { ...value, ...contentOf(value, bytes) } : value;
}

/** A refusal because of a change brings the content that was found. */
function withCurrent<T extends Value<"replace" | "remove">>(value: T, bytes: Bytes) {
  return "current" in value ? { ...value, current: contentOf(value.current, bytes) } : value;
}

function contentOf(
  { facts, version }: Pick<FileContent, "facts" | "version">,
  bytes: Bytes,
): FileContent {
  if (version.size !== bytes.length) throw new ProtocolError("a content of another size came");
  return { facts, version, bytes };
}

function tooLarge(path: string, length: number) {
  const what =
    `would get ${length} bytes, more than the ${MAX_BODY_BYTES} that are written at once`;
  return refuse(path, "too_large", what);
}

function joined(splices: readonly Splice[]): Uint8Array {
  const whole = new Uint8Array(splices.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of splices) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
