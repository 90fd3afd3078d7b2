import { deepStrictEqual } from "node:assert/strict";
import { cleanState, tooMuch } from "../../agent/clean_state.ts";
import { tempDir } from "../helpers/temp_dir.ts";

Deno.test("tooMuch()", async (t) => {
  const entry = (changedMs: number, bytes: number) => ({ changedMs, bytes });
  const limits = { maxAgeMs: 100, maxBytes: 10 };
  const cases: [name: string, entries: [number, number][], gone: [number, number][]][] = [
    ["keeps what is new and small", [[950, 5], [999, 5]], []],
    ["removes what is old", [[899, 1], [900, 1]], [[899, 1]]],
    ["removes the oldest of what is too much", [[990, 6], [980, 4], [970, 1]], [[970, 1]]],
    ["removes what is too large by itself", [[999, 11]], [[999, 11]]],
  ];
  for (const [name, entries, gone] of cases) {
    await t.step(name, () => {
      const found = tooMuch(entries.map(([ms, bytes]) => entry(ms, bytes)), limits, 1000);
      deepStrictEqual(found, gone.map(([ms, bytes]) => entry(ms, bytes)));
    });
  }
});

Deno.test("cleanState() removes old folders, keeps logs and open sessions, and looks once a day", async () => {
  await using dir = await tempDir({
    "sessions/old.jsonl": "{}",
    "sessions/old/spill.txt": "x",
    "sessions/open/spill.txt": "x",
    "sessions/resumed.jsonl": "{}",
    "sessions/resumed/image.png": "x",
    "sessions/new/spill.txt": "x",
    "views/old/tmp/a": "x",
    "cell/abc/cache": "x",
    "outside/kept": "x",
  });
  const DAY = 24 * 60 * 60 * 1000;
  const now = Date.now();
  const before = new Date(now - 20 * DAY);
  await Deno.symlink(dir.join("outside"), dir.join("views/old/tmp/link"));
  for (
    const path of [
      "sessions/old/spill.txt",
      "sessions/old",
      "sessions/open/spill.txt",
      "sessions/open",
      "sessions/resumed/image.png",
      "sessions/resumed",
    ]
  ) {
    await Deno.utime(dir.join(path), before, before);
  }
  const limits = { maxAgeMs: 14 * DAY, maxBytes: 1_000_000 };
  const resumed = ["resumed", "resumed.jsonl"];
  using log = await Deno.open(dir.join("sessions/resumed.jsonl"));
  await log.lock(true);
  const clean = (at: number) =>
    cleanState(dir.path, { now: () => at, keep: new Set(["open"]), limits });
  // What was never cleaned is taken for new, and the same day nothing is looked at.
  for (const at of [now, now + DAY / 2]) {
    await clean(at);
    deepStrictEqual(await namesIn(dir.join("sessions")), [
      "new",
      "old",
      "old.jsonl",
      "open",
      ...resumed,
    ]);
  }
  // A day later everything is.
  await clean(now + 1.5 * DAY);
  deepStrictEqual(await namesIn(dir.join("sessions")), ["new", "old.jsonl", "open", ...resumed]);
  deepStrictEqual(await namesIn(dir.join("views")), ["old"]);
  await clean(now + 15 * DAY);
  deepStrictEqual(await namesIn(dir.join("views")), []);
  deepStrictEqual(await namesIn(dir.join("sessions")), ["old.jsonl", "open", ...resumed]);
  deepStrictEqual(await namesIn(dir.join("outside")), ["kept"]);
});

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}
