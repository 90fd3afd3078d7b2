import { unpackFindings } from "../sweep/findings_message.ts";
import type { Sweeper } from "../sweep/sweeper.ts";
import { parseValue, type Value } from "./answers.ts";
import { ProtocolError } from "./frames.ts";
import type { Call } from "./messages.ts";
import type { Supervisor } from "./supervisor.ts";

/** The calls that a sweep makes. */
type SweepCall = Extract<Call, { readonly method: `sweep_${string}` }>;

/**
 * The sweeper of a cell's workspace. A look is lost with its cell; then `after` fails, since
 * nobody knows any more what was there before.
 */
export function sweeperThrough(supervisor: Supervisor, timeoutMs: number): Sweeper {
  function ask<C extends SweepCall, T>(
    call: C,
    parse: (value: Value<C["method"]>, body: Uint8Array) => T,
  ): Promise<T> {
    return supervisor.ask({
      call,
      what: "look for files that are obeyed unasked",
      cwd: "/",
      timeoutMs,
      parse: (value, body) => parse(parseValue<C["method"]>(call.method, value), body),
    });
  }
  return {
    before: () => ask({ method: "sweep_before" }, ({ look }) => look),
    after: (look) => ask({ method: "sweep_after", look }, unpacked),
    undo: (look) => ask({ method: "sweep_undo", look }, (undone) => undone),
    secrets: () => ask({ method: "sweep_secrets" }, ({ secrets }) => secrets),
  };
}

function unpacked(value: Value<"sweep_after">, body: Uint8Array) {
  try {
    return unpackFindings({ value, body });
  } catch (error) {
    if (error instanceof RangeError) throw new ProtocolError(error.message);
    throw error;
  }
}
