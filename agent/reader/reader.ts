import { LastWords } from "../../sandbox/cell/last_words.ts";
import type { PipedProcess } from "../../sandbox/commands/piped_process.ts";
import { stopAt } from "../../sandbox/commands/timers.ts";
import { recogniseFile } from "../../tools/file_signature.ts";
import { type PictureReading, pictureReading } from "../../tools/image/picture.ts";
import { type Reading, reading } from "../../tools/web/document.ts";
import type { Pictures, Reader } from "../../tools/tool.ts";
import { parseJson } from "../model/json.ts";
import { requestBytes } from "./request.ts";
import { Turns } from "./turns.ts";

/** How long a document may take, in milliseconds; 500 pages of PDF take three seconds. */
const READ_LIMIT_MS = 30_000;

/** An answer at the most, in bytes: the longest text, with every character as an escape of JSON. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Readers at work at a time: each may take some hundred megabytes. */
const MAX_READERS = 3;

/** Exit codes of a process that V8 ended for want of memory, or that was killed. */
const OVERFULL: ReadonlySet<number> = new Set([128 + 5, 128 + 6, 128 + 9]);

/** Bounds that tests lower. */
export interface ReaderLimits {
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
}

/**
 * The capabilities `reader` and `pictures`: each file is read by a process of its own, which `start`
 * starts and which ends with it, so that none knows of another.
 */
export function createReader(
  start: () => PipedProcess | Promise<PipedProcess>,
  limits: ReaderLimits = {},
): Reader & Pictures {
  const turns = new Turns(MAX_READERS);
  async function ask<T>(request: Uint8Array, form: AnswerForm<T>, signal: AbortSignal) {
    using _turn = await turns.take(signal);
    return await exchange(await start(), request, form, limits, signal);
  }
  return {
    read: (bytes, hint, signal) =>
      ask(requestBytes(bytes, { task: "document", hint }), DOCUMENT, signal),
    picture: (bytes, wish, signal) =>
      ask(requestBytes(bytes, { task: "picture", wish }), PICTURE, signal),
  };
}

/** What a process may answer. */
interface AnswerForm<T> {
  /** What it makes, in words. */
  readonly makes: string;
  /** The answer where it is one: a reader that was led astray may write anything. */
  parse(answer: unknown): T | undefined;
  tooComplex(message: string): T;
}

const DOCUMENT: AnswerForm<Reading> = {
  makes: "text",
  parse: (answer) => reading.safeParse(answer).data,
  tooComplex: (message) => ({ ok: false, reason: "too_complex", message }),
};

const PICTURE: AnswerForm<PictureReading> = {
  makes: "picture",
  parse(answer) {
    const { data } = pictureReading.safeParse(answer);
    return data?.ok && !isWhatItSays(data) ? undefined : data;
  },
  tooComplex: (message) => ({ ok: false, reason: "too_large", message }),
};

/** Servers refuse requests with an image that is another than its type says. */
function isWhatItSays({ data, media_type }: { data: string; media_type: string }): boolean {
  const signature = recogniseFile(Uint8Array.fromBase64(data));
  return signature?.kind === "image" && signature.mediaType === media_type;
}

async function exchange<T>(
  process: PipedProcess,
  request: Uint8Array,
  { makes, parse, tooComplex }: AnswerForm<T>,
  { timeoutMs = READ_LIMIT_MS, maxAnswerBytes = MAX_ANSWER_BYTES }: ReaderLimits,
  signal: AbortSignal,
): Promise<T> {
  const words = new LastWords(process);
  using limit = stopAt(timeoutMs, signal);
  // Where it reads no more it has ended, and that is told by its output.
  const writing = new Blob([request.slice()]).stream().pipeTo(process.stdin).catch(() => {});
  const answer = answerOf(process, maxAnswerBytes);
  const first = await Promise.race([answer, limit.reached]);
  process.kill();
  await Promise.all([answer, writing, words.ended]);
  signal.throwIfAborted();
  if (first === "timeout") {
    return tooComplex(`no ${makes} of it within ${timeoutMs / 1000} seconds`);
  }
  if (first === "abort") throw signal.reason;
  if (first === "too_long") return tooComplex(`its ${makes} is too long`);
  const parsed = parse(parseJson(first.text));
  if (parsed !== undefined) return parsed;
  if (OVERFULL.has(first.code)) {
    return tooComplex("it takes more memory than a reader gets");
  }
  throw new Error(`Cannot read the file: the reader failed, ${await words.obituary()}`);
}

/** What the process wrote, and its exit code; where a signal ended it, as a shell has it. */
interface Answer {
  readonly text: string;
  readonly code: number;
}

async function answerOf(process: PipedProcess, maxBytes: number): Promise<Answer | "too_long"> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of process.stdout) {
    bytes += piece.length;
    if (bytes > maxBytes) return "too_long";
    text += decoder.decode(piece, { stream: true });
  }
  const { code } = await process.status;
  return { text, code };
}
