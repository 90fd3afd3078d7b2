import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Attention } from "../../../../agent/terminal/screen/attention.ts";

const NOTICE = "\x1b]9;cordon in work: done\x07\x07";

/** Plays a turn of `ms` milliseconds; what was written, notices and titles apart. */
function turn(ms: number, set: Partial<Pick<Attention, "isAway" | "isWanted">>) {
  let now = 0;
  const written: string[] = [];
  const attention = new Attention({
    write: (text) => written.push(text),
    name: "work",
    now: () => now,
  });
  Object.assign(attention, set);
  attention.rest();
  attention.begin();
  now = ms;
  attention.end("done");
  return {
    notices: written.filter((text) => text.startsWith("\x1b]9;")),
    titles: written.filter((text) => text.startsWith("\x1b]2;")),
  };
}

Deno.test("Attention gives notice of a long turn to who looks elsewhere, and wants it", async (t) => {
  const cases: [name: string, ms: number, set: Parameters<typeof turn>[1], notices: string[]][] = [
    ["away for long", 10_001, { isAway: true }, [NOTICE]],
    ["a short turn", 10_000, { isAway: true }, []],
    ["at the window, or nobody knows", 60_000, {}, []],
    ["not wanted", 60_000, { isAway: true, isWanted: false }, []],
  ];
  for (const [name, ms, set, notices] of cases) {
    await t.step(name, () => deepStrictEqual(turn(ms, set).notices, notices));
  }
});

Deno.test("Attention tells in the title what goes on", () => {
  deepStrictEqual(turn(1, {}).titles, [
    "\x1b]2;cordon: work\x07",
    "\x1b]2;cordon: working: work\x07",
    "\x1b]2;cordon: work\x07",
  ]);
});

Deno.test("Attention calls for an answer, and lets no name act on the terminal", () => {
  const written: string[] = [];
  let now = 0;
  const attention = new Attention({
    write: (text) => written.push(text),
    name: "a\x07\x1b]0;evil\x07b\n",
    now: () => now,
  });
  attention.isAway = true;
  attention.begin();
  now = 60_000;
  attention.ask();
  attention.goOn();
  strictEqual(written.length, 4);
  deepStrictEqual(written.slice(1), [
    "\x1b]2;cordon: asks: ab \x07",
    "\x1b]9;cordon in ab : a question waits for you\x07\x07",
    "\x1b]2;cordon: working: ab \x07",
  ]);
});
