import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { patchAnchored } from "../../tools/patch_anchored.ts";
import { viewAnchored } from "../../tools/view_anchored.ts";
import { snapshot } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";

/** The anchors that a text shows, by the text of their lines. */
function anchorsIn(text: string): Record<string, string> {
  const rows = [...text.matchAll(/^(\S+)│ (.*)$/gm)];
  return Object.fromEntries(rows.map(([, anchor = "", line = ""]) => [line, anchor]));
}

const COLOURS = "red\ngreen\nblue\n";

Deno.test("view_anchored shows lines with anchors that patch_anchored takes", async () => {
  await using dir = await tempDir({ "a.txt": COLOURS });
  const files = filesIn(dir.path);
  const view = await runTool(viewAnchored, { path: "a.txt" }, { files });
  const { red, blue } = anchorsIn(view.text);
  const operations = [
    { anchor: red, op: "replace", text: "RED" },
    { anchor: blue, op: "insert_after", text: "black\nwhite" },
  ];
  const { value, text } = await runTool(patchAnchored, { path: "a.txt", operations }, { files });
  strictEqual(await Deno.readTextFile(dir.join("a.txt")), "RED\ngreen\nblue\nblack\nwhite\n");
  strictEqual(value.count, 2);
  strictEqual("rung" in value, false);

  // The answer's own anchors go on without another view.
  const again = [{ anchor: anchorsIn(text).white, op: "delete" }];
  await runTool(patchAnchored, { path: "a.txt", operations: again }, { files });
  strictEqual(await Deno.readTextFile(dir.join("a.txt")), "RED\ngreen\nblue\nblack\n");
});

Deno.test("view_anchored shows a part, and where to go on", async (t) => {
  const lines = Array.from({ length: 9 }, (_, line) => `line ${line + 1}\n`).join("");
  const many = Array.from({ length: 2_000 }, (_, line) => `${line}`.padEnd(99, "y")).join("\n");
  const rows: [name: string, file: string, args: object, shown: number, end: RegExp][] = [
    [
      "a window",
      lines,
      { offset: 3, limit: 2 },
      2,
      /\n\[lines 3-4 of 9; continue with offset=5\]$/,
    ],
    ["the last lines", lines, { offset: 8 }, 2, /│ line 9$/],
    ["past the end", lines, { offset: 10 }, 0, /^\[the file has 9 lines\]$/],
    ["an empty file", "", {}, 0, /^\[empty file\]$/],
    ["a long line is cut", `${"x".repeat(9_000)}\n`, {}, 1, /\[line cut: 9000 characters\]$/],
    ["50 KB at once", many, {}, 469, /continue with offset=/],
  ];
  for (const [name, file, args, shown, end] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.txt": file });
      const { text } = await runTool(viewAnchored, { path: "a.txt", ...args }, {
        files: filesIn(dir.path),
      });
      strictEqual([...text.matchAll(/│ /g)].length, shown);
      match(text, end);
      ok(text.length <= 52_000);
    });
  }
});

Deno.test("patch_anchored refuses a batch whole, and shows fresh anchors", async (t) => {
  type Operation = Record<string, string | undefined>;
  const rows: [
    name: string,
    operation: (anchors: Record<string, string>) => Operation,
    reason: string,
  ][] = [
    ["an anchor of an older file", () => ({ anchor: "zzzzzzz", op: "delete" }), "stale_anchor"],
    ["the same line twice", ({ red }) => ({ anchor: red, op: "delete" }), "duplicate_anchor"],
    [
      "another line than expected",
      ({ green }) => ({ anchor: green, op: "delete", expected: "grey" }),
      "guard_failed",
    ],
    [
      "code left out",
      ({ green }) => ({ anchor: green, op: "replace", text: "# ... rest" }),
      "placeholder",
    ],
  ];
  for (const [name, operation, reason] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.txt": COLOURS });
      const files = filesIn(dir.path);
      const before = await snapshot(dir.path);
      const anchors = anchorsIn((await runTool(viewAnchored, { path: "a.txt" }, { files })).text);
      const operations = [{ anchor: anchors.red, op: "replace", text: "RED" }, operation(anchors)];
      const { value, text } = await runTool(patchAnchored, { path: "a.txt", operations }, {
        files,
      });
      strictEqual(value.reason, reason);
      deepStrictEqual(anchorsIn(text), anchors);
      ok(text.endsWith(`\n[not edited: ${reason}]`));
      deepStrictEqual(await snapshot(dir.path), before);
    });
  }
});

Deno.test("patch_anchored after others changed the file between plan and run", async (t) => {
  const rows: [name: string, now: string, want: string | undefined][] = [
    [
      "lines far away: it lands",
      `new\n${"filler\n".repeat(3)}${COLOURS}`,
      `new\n${"filler\n".repeat(3)}RED\ngreen\nblue\n`,
    ],
    ["a neighbour: stale", "red\nGREEN\nblue\n", undefined],
  ];
  for (const [name, now, want] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.txt": `${"filler\n".repeat(3)}${COLOURS}` });
      const files = filesIn(dir.path);
      const { red } = anchorsIn((await runTool(viewAnchored, { path: "a.txt" }, { files })).text);
      const args = { path: "a.txt", operations: [{ anchor: red, op: "replace", text: "RED" }] };
      const plan = await planOf(patchAnchored, args, { files });
      await Deno.writeTextFile(dir.join("a.txt"), now);
      const { value } = await runPlanned(patchAnchored, args, { files }, plan);
      strictEqual(value.ok ? "ok" : value.reason, want === undefined ? "stale" : "ok");
      strictEqual(await Deno.readTextFile(dir.join("a.txt")), want ?? now);
    });
  }
});
