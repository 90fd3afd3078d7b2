import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type Key, KeyDecoder } from "../../../../agent/terminal/screen/keys.ts";

function read(text: string): Key[] {
  const decoder = new KeyDecoder();
  return [...decoder.push(text), ...decoder.flush()];
}

function named(...names: string[]): Key[] {
  return names.map((name) => ({ kind: "key", name }));
}

Deno.test("KeyDecoder reads what terminals send", async (t) => {
  const cases: [sent: string, keys: Key[]][] = [
    ["ab", [{ kind: "text", text: "ab" }]],
    ["宽👩‍💻é", [{ kind: "text", text: "宽👩‍💻é" }]],
    ["\r", named("enter")],
    ["\n", named("ctrl+j")],
    ["\t", named("tab")],
    ["\x7f", named("backspace")],
    ["\b", named("ctrl+h")],
    ["\x03\x04\x1a", named("ctrl+c", "ctrl+d", "ctrl+z")],
    ["\x1f", named("ctrl+_")],
    ["\x1b[A\x1b[B\x1b[C\x1b[D", named("up", "down", "right", "left")],
    ["\x1bOA\x1bOH", named("up", "home")],
    ["\x1b[H\x1b[F\x1b[1~\x1b[4~", named("home", "end", "home", "end")],
    ["\x1b[3~\x1b[5~\x1b[6~", named("delete", "pageup", "pagedown")],
    ["\x1b[1;5C\x1b[1;3D\x1b[1;2A", named("ctrl+right", "alt+left", "shift+up")],
    ["\x1b[3;5~", named("ctrl+delete")],
    ["\x1b[Z", named("shift+tab")],
    ["\x1b[I\x1b[O", named("focus", "blur")],
    ["\x1b\r", named("alt+enter")],
    ["\x1b\x7f", named("alt+backspace")],
    ["\x1bb\x1bF", named("alt+b", "alt+F")],
    ["\x1b[13;2u\x1b[13;3u", named("shift+enter", "alt+enter")],
    ["\x1b[27;2;13~", named("shift+enter")],
    ["\x1b[99;5u\x1b[27u", named("ctrl+c", "escape")],
    ["\x1b[97;2u\x1b[32;2u", [{ kind: "text", text: "A" }, { kind: "text", text: " " }]],
    ["\x1b", named("escape")],
    ["\x1b\x1b", named("escape", "escape")],
    ["\x1b\x1b[A", named("escape", "up")],
    ["\x1b[", named("alt+[")],
    ["\x1b[é", [...named("alt+["), { kind: "text", text: "é" }]],
    ["\x1b[[A", []],
    ["\x1b[97;1:3u\x1b[1;1:3A", []],
    ["\x1b[?1;2c\x1b]11;rgb:0000/0000/0000\x07\x1bP1$r0m\x1b\\x", [{ kind: "text", text: "x" }]],
    ["\x1b[200~a\r\nb\rc\x1b[201~", [{ kind: "paste", text: "a\nb\nc" }]],
    ["\x1b[200~\x1b[A\x03\x1b[201~", [{ kind: "paste", text: "\x1b[A\x03" }]],
    ["\x1b[200~\x1b[201~", [{ kind: "paste", text: "" }]],
  ];
  for (const [sent, keys] of cases) {
    await t.step(JSON.stringify(sent), () => deepStrictEqual(read(sent), keys));
  }
});

Deno.test("KeyDecoder reads the same keys however the text is torn", () => {
  const piece = fc.constantFrom(
    ..."ab\r\n\t\x7f\x03".split(""),
    "宽",
    "👩‍💻",
    "\x1b[A",
    "\x1bOB",
    "\x1b[1;5C",
    "\x1b[3~",
    "\x1b[13;2u",
    "\x1bq",
    "\x1b[200~one\r\ntwo\x1b[20x\x1b[201~",
    "\x1b]0;title\x07",
  );
  fc.assert(fc.property(fc.array(piece), fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (
    pieces,
    sizes,
  ) => {
    const text = pieces.join("");
    const decoder = new KeyDecoder();
    const torn: Key[] = [];
    // Between characters: the bytes of one are joined before.
    const characters = [...text];
    while (characters.length > 0) {
      torn.push(...decoder.push(characters.splice(0, sizes.next().value).join("")));
    }
    deepStrictEqual(joined(torn), joined(read(text)));
  }));
});

Deno.test("KeyDecoder.waits is true only where a key may be whole", async (t) => {
  const cases: [sent: string, waits: boolean][] = [
    ["", false],
    ["a", false],
    ["\x1b", true],
    ["\x1b[", true],
    ["\x1b[1;", false],
    ["\x1b[200~half", false],
    ["\x1b]11;rgb", false],
  ];
  for (const [sent, waits] of cases) {
    await t.step(JSON.stringify(sent), () => {
      const decoder = new KeyDecoder();
      decoder.push(sent);
      deepStrictEqual(decoder.waits, waits);
    });
  }
});

/** Text that comes in pieces is the same text. */
function joined(keys: readonly Key[]): Key[] {
  return keys.reduce<Key[]>((all, key) => {
    const last = all.at(-1);
    if (last?.kind === "text" && key.kind === "text") {
      return [...all.slice(0, -1), { kind: "text", text: last.text + key.text }];
    }
    return [...all, key];
  }, []);
}
