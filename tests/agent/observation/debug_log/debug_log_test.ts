import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { DebugLog } from "../../../../agent/observation/debug_log/debug_log.ts";
import type { Observation } from "../../../../agent/observation/observation.ts";

/** A log whose file takes what `take` lets through. */
function opened(take: (text: string, written: string) => string, isTorn = false) {
  const seen = { written: "", closed: 0, warnings: new Array<string>() };
  const log = new DebugLog({
    path: "/x/run.jsonl",
    file: {
      isTorn,
      append(text) {
        const taken = take(text, seen.written);
        seen.written += taken;
        if (taken !== text) throw new Error("no room");
      },
      [Symbol.dispose]: () => void seen.closed++,
    },
    warn(line) {
      seen.warnings.push(line);
      // A warning is a line for people, and so is observed, too.
      log.record({ type: "note", line, alarm: false });
    },
    now: () => new Date(0),
  });
  return { log, seen };
}

const turn = (n: number): Observation => ({ type: "turn", n });

Deno.test("DebugLog knows its session from the event on", () => {
  const { log, seen } = opened((text) => text);
  log.record(turn(1));
  log.record({
    type: "session",
    ...{ session_id: "s1", version: "1", cwd: "/", model: "m" },
    ...{ tier: "1", tier_reason: "", profile: "workspace" },
  });
  log.record(turn(2));
  deepStrictEqual(
    seen.written.trimEnd().split("\n").map((line) => JSON.parse(line).session),
    [undefined, "s1", "s1"],
  );
});

Deno.test("DebugLog tells once that it cannot write, and goes on in a line of its own", () => {
  let full = false;
  const { log, seen } = opened((text) => full ? text.slice(0, 5) : text);
  log.record(turn(1));
  full = true;
  log.record(turn(2));
  log.record(turn(3));
  full = false;
  log.record(turn(4));
  deepStrictEqual(seen.warnings, [
    'Cannot log to "/x/run.jsonl": no room; the run goes on without these lines',
  ]);
  const whole = seen.written.split("\n").filter((line) => line.endsWith("}"));
  deepStrictEqual(whole.map((line) => JSON.parse(line).n), [1, 4]);
});

Deno.test("DebugLog begins a line of its own where the file ends within one", () => {
  const { log, seen } = opened((text) => text, true);
  log.record(turn(1));
  log.record(turn(2));
  const [rest, ...lines] = seen.written.trimEnd().split("\n");
  deepStrictEqual([rest, ...lines.map((line) => JSON.parse(line).n)], ["", 1, 2]);
});

Deno.test("DebugLog takes nothing once it is closed, and closes its file once", async () => {
  const { log, seen } = opened((text) => text);
  await log.close();
  await log.abandon();
  log.record(turn(1));
  deepStrictEqual([seen.written, seen.closed], ["", 1]);
  strictEqual(seen.warnings.length, 0);
});
