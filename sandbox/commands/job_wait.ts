import type { RunningCommand } from "./commands.ts";
import type { JobTexts } from "./job_texts.ts";
import { stopAt } from "./timers.ts";

/** A job that has written nothing for so long is idle, in milliseconds. */
export const IDLE_MS = 1_000;

/** What is waited for, and how long. */
export interface JobWait {
  /**
   * `exit`: its end; `idle`: that it writes nothing for a second; `output`: anything new;
   * otherwise this text in what is new.
   */
  readonly until: "exit" | "idle" | "output" | { readonly text: string };
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** `ended`: the job has; it goes before all else. */
export type Waited = "met" | "ended" | "timeout" | "abort";

/** Waits for a running job; each way of waiting holds no more than its own text. */
export async function waitFor(
  { until, ms, signal }: JobWait,
  running: RunningCommand,
  texts: JobTexts,
): Promise<Waited> {
  using limit = stopAt(ms, signal);
  const ended = texts.ended.then(() => "ended" as const);
  using watch = watchFor(until, running, texts);
  return await Promise.race([ended, watch.met, limit.reached]);
}

interface Watch extends Disposable {
  readonly met: Promise<"met">;
}

function watchFor(
  until: JobWait["until"],
  running: RunningCommand,
  texts: JobTexts,
): Watch {
  const { promise: met, resolve } = Promise.withResolvers<"met">();
  const meet = () => resolve("met");
  if (until === "exit") return { met, [Symbol.dispose]() {} };
  if (until === "idle") return { met, ...whenIdle(texts, meet) };
  if (until === "output") {
    if (texts.newBytes > 0) meet();
    return { met, ...running.listen(meet) };
  }
  if (texts.includes(until.text)) meet();
  return { met, ...whenWritten(until.text, running, texts, meet) };
}

function whenIdle(texts: JobTexts, meet: () => void): Disposable {
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    const left = texts.lastAt + IDLE_MS - performance.now();
    if (left <= 0) meet();
    else timer = setTimeout(look, left);
  };
  look();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

function whenWritten(
  awaited: string,
  running: RunningCommand,
  texts: JobTexts,
  meet: () => void,
): Disposable {
  const tails = {
    stdout: texts.tailFor("stdout", awaited),
    stderr: texts.tailFor("stderr", awaited),
  };
  return running.listen((stream, text) => {
    const all = tails[stream] + text;
    if (all.includes(awaited)) meet();
    tails[stream] = awaited.length > 1 ? all.slice(1 - awaited.length) : "";
  });
}
