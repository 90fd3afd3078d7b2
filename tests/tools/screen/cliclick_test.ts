import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { letGo, type MacCall, macCalls } from "../../../agent/screen/cliclick.ts";
import { typingLimitMs } from "../../../agent/screen/typing_limit.ts";
import { NAMED_KEYS, parseChord } from "../../../tools/screen/chord.ts";
import type { DesktopAct } from "../../../tools/screen/desktop.ts";

/** The calls for an act on a Retina display. */
function calls(act: DesktopAct, scale = 2): readonly MacCall[] {
  const made = macCalls(act, scale);
  ok(made.ok);
  return made.calls;
}

function key(text: string): DesktopAct {
  const parsed = parseChord(text);
  ok(parsed.ok);
  return { kind: "key", chord: parsed.chord };
}

const at = { x: 201, y: 100 };

Deno.test("macCalls() has commands of cliclick for each act", async (t) => {
  const click = { kind: "click", at, button: "left", count: 1 } as const;
  const type = (text: string): DesktopAct => ({ kind: "type", text });
  const cases: [name: string, act: DesktopAct, args: string[]][] = [
    ["move", { kind: "move", at }, ["m:100,50"]],
    ["click", click, ["c:100,50"]],
    ["double click", { ...click, count: 2 }, ["dc:100,50"]],
    ["right click", { ...click, button: "right" }, ["rc:100,50"]],
    ["drag", { kind: "drag", from: at, to: { x: 401, y: 300 } }, [
      ...["dd:100,50", "w:50", "dm:150,100", "w:50", "dm:200,150", "w:50", "du:200,150"],
    ]],
    ["a word", type("a:b 'ü' #😀"), ["t:a:b 'ü' #😀"]],
    ["blanks at both ends", type("  a  "), ["t:  a", "kp:space", "kp:space"]],
    ["blanks alone", type(" "), ["kp:space"]],
    ["tabs", type("a \tb\t"), ["t:a", "kp:space", "kp:tab", "t:b", "kp:tab"]],
    ["lines", type("a\r\n\nb\n"), ["t:a", "kp:return", "kp:return", "t:b", "kp:return"]],
    ["a letter", key("c"), ["t:c"]],
    ["a capital", key("shift+c"), ["t:C"]],
    ["a chord", key("cmd+c"), ["kd:cmd", "t:c", "ku:cmd"]],
    ["a longer one", key("cmd+alt+shift+ctrl+escape"), [
      ...["kd:ctrl,alt,shift,cmd", "kp:esc", "ku:ctrl,alt,shift,cmd"],
    ]],
    ["a sign", key("ctrl++"), ["kd:ctrl", "t:+", "ku:ctrl"]],
    ["a named key", key("shift+tab"), ["kd:shift", "kp:tab", "ku:shift"]],
    ["a function key", key("f16"), ["kp:f16"]],
  ];
  for (const [name, act, args] of cases) {
    const limit = act.kind === "type" ? { limitMs: typingLimitMs(act.text) } : {};
    const want = [{ program: "cliclick", args, ...limit }];
    await t.step(name, () => deepStrictEqual(calls(act), want));
  }
});

Deno.test("macCalls() turns the wheel, and raises windows, by the script", async (t) => {
  const cases: [direction: "up" | "down" | "left" | "right", args: string[]][] = [
    ["up", ["scroll", "3", "0"]],
    ["down", ["scroll", "-3", "0"]],
    ["left", ["scroll", "0", "3"]],
    ["right", ["scroll", "0", "-3"]],
  ];
  for (const [direction, args] of cases) {
    await t.step(direction, () => {
      const [move, turn, ...more] = calls({ kind: "scroll", at, direction, amount: 3 });
      deepStrictEqual(move, { program: "cliclick", args: ["m:100,50"] });
      deepStrictEqual([turn, more], [{ program: "script", args }, []]);
    });
  }
  await t.step("focus", () => {
    const args = ["focus", "12"];
    deepStrictEqual(calls({ kind: "focus", window: "12" }), [{ program: "script", args }]);
  });
});

Deno.test("macCalls() counts in points of the display", () => {
  deepStrictEqual(calls({ kind: "move", at }, 1)[0]?.args, ["m:201,100"]);
  deepStrictEqual(calls({ kind: "move", at }, 3)[0]?.args, ["m:67,33"]);
});

Deno.test("macCalls() says which keys there are not", () => {
  const none = NAMED_KEYS.filter((name) => !macCalls(key(name), 2).ok);
  const beyond = Array.from({ length: 8 }, (_, i) => `f${i + 17}`);
  deepStrictEqual(none, ["insert", "menu", "printscreen", ...beyond]);
  const made = macCalls(key("ctrl+insert"), 2);
  ok(!made.ok);
  strictEqual(made.problem, 'cliclick has no key "insert", and keyboards of Macs have none');
});

Deno.test("a long text has more time than a short one, whose limit is that of any program", () => {
  const limit = (text: string) => calls({ kind: "type", text })[0]?.limitMs;
  deepStrictEqual([limit(""), limit("a".repeat(10_000))], [15_000, 515_000]);
  strictEqual(calls({ kind: "move", at })[0]?.limitMs, undefined);
});

Deno.test("a text is never read as a command, and none of it is lost", () => {
  const character = fc.constantFrom(..."a:# \t\n\r\v\f\u0085\u2028\u2029\u00a0\u3000kp😀");
  fc.assert(fc.property(fc.array(character, { maxLength: 30 }), (characters) => {
    const text = characters.join("");
    const lines = calls({ kind: "type", text })[0]?.args ?? [];
    for (const line of lines) {
      match(line, /^(t:.*\P{Zs}|kp:(return|tab|space))$/u);
      strictEqual(/[\n\v\f\r\t\u0085\u2028\u2029]/.test(line), false);
    }
    const keys = new Map([["kp:return", "\n"], ["kp:tab", "\t"], ["kp:space", " "]]);
    const back = lines.map((line) => keys.get(line) ?? line.slice(2)).join("");
    const blank = (value: string) => value.replaceAll(/[\u00a0\u3000]/g, " ");
    const plain = text.replaceAll(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, "\n");
    strictEqual(blank(back), blank(plain));
  }));
});

Deno.test("letGo() knows what an act holds", () => {
  strictEqual(letGo({ kind: "drag", from: at, to: at }), "du:.");
  strictEqual(letGo(key("cmd+shift+a")), "ku:shift,cmd");
  strictEqual(letGo(key("a")), undefined);
  strictEqual(letGo({ kind: "move", at }), undefined);
});
