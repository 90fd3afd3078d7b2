import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { thoughtLines, Thoughts } from "../../../../agent/terminal/screen/thoughts.ts";
import { styleFor } from "../../../../agent/terminal/style.ts";

const VIEW = {
  width: 20,
  style: styleFor({ flag: "never", isTerminal: true, env: () => undefined }),
};

Deno.test("Thoughts are told once, from pieces or as a whole", async (t) => {
  await t.step("pieces", () => {
    const thoughts = new Thoughts();
    thoughts.begin();
    thoughts.push("I look\n");
    deepStrictEqual(thoughts.rows(VIEW), ["thinks: I look"]);
    thoughts.push("at everything that is there");
    deepStrictEqual(thoughts.rows(VIEW), ["thinks: at everythi…"]);
    strictEqual(thoughts.take(), "I look\nat everything that is there");
    deepStrictEqual([thoughts.take(), thoughts.rows(VIEW)], [undefined, []]);
    strictEqual(thoughts.whole("I look\nat everything that is there"), undefined);
  });
  await t.step("a whole", () => {
    const thoughts = new Thoughts();
    strictEqual(thoughts.whole("At once"), "At once");
    strictEqual(thoughts.whole("At once"), undefined);
    thoughts.begin();
    strictEqual(thoughts.whole("Again"), "Again");
  });
  await t.step("an answer that was given up takes its thoughts along", () => {
    const thoughts = new Thoughts();
    thoughts.push("lost");
    thoughts.begin();
    strictEqual(thoughts.take(), undefined);
  });
});

Deno.test("thoughtLines() are one line, or all of it; nothing in them acts", () => {
  const thought = "\nFirst, \x1b[2Jthe tests are read\nthen\nmended\n";
  deepStrictEqual(thoughtLines(thought, false, VIEW), ["thought: First… (+2)"]);
  deepStrictEqual(thoughtLines(thought, true, VIEW), [
    "thought: First, the",
    "tests are read",
    "then",
    "mended",
  ]);
  deepStrictEqual(thoughtLines("Short", false, VIEW), ["thought: Short"]);
});
