import { after } from "../../sandbox/commands/timers.ts";
import type { TmuxServer } from "./server.ts";
import { lookAt, type WindowLook } from "./windows.ts";

/** How often a window is looked at, in milliseconds: first, and growing to the second. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 200;

/** Lines above the window in which text is looked for. */
const SEARCHED_LINES = 500;

/** What is waited for; whichever comes first. The end of the program always ends the wait. */
export interface WaitFor {
  /** Part of a line, as it is; what is already there counts. */
  readonly text?: string | undefined;
  /** That nothing has changed for so long, in milliseconds. */
  readonly idleMs?: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came, or that nothing did. */
export type Met = "text" | "exit" | "idle" | "timeout" | "interrupted";

/** Waits; undefined where there is no such window. */
export async function waitFor(
  server: TmuxServer,
  name: string,
  { text, idleMs, timeoutMs, signal }: WaitFor,
): Promise<{ readonly met: Met; readonly look: WindowLook } | undefined> {
  const started = performance.now();
  let changed = started;
  let shown: string | undefined;
  for (let pauseMs = FIRST_PAUSE_MS;; pauseMs = Math.min(pauseMs * 1.5, LAST_PAUSE_MS)) {
    const look = await lookAt(server, name, SEARCHED_LINES);
    if (!look) return undefined;
    const now = performance.now();
    if (look.text !== shown) changed = now;
    shown = look.text;
    if (text !== undefined && look.text.includes(text)) return { met: "text", look };
    if (!look.state.running) return { met: "exit", look };
    if (idleMs !== undefined && now - changed >= idleMs) return { met: "idle", look };
    if (signal.aborted) return { met: "interrupted", look };
    const leftMs = timeoutMs - (now - started);
    if (leftMs <= 0) return { met: "timeout", look };
    using pause = after(Math.min(pauseMs, leftMs));
    await pause.passed;
  }
}
