import { deepStrictEqual } from "node:assert/strict";
import { type FileHunks, parseBody, parseList } from "../../edit/many.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";

const hunk = (name: string) => `<<<<<<< ORIGINAL\n${name}\n=======\n${name}2\n>>>>>>> UPDATED\n`;

/** Each file with the old lines of its hunks, or the reason. */
function seen(files: readonly FileHunks[] | Refusal): unknown {
  return isRefusal(files)
    ? files.reason
    : files.map(({ path, hunks }) => [path, hunks.flatMap(({ old }) => old)]);
}

Deno.test("parseList()", () => {
  const list = [
    { path: "a", patch: hunk("x") },
    { path: "b", patch: hunk("y") },
    { path: "a", patch: hunk("z") },
  ];
  deepStrictEqual(seen(parseList(list)), [["a", ["x"]], ["b", ["y"]], ["a", ["z"]]]);
  deepStrictEqual(seen(parseList([])), "malformed");
  deepStrictEqual(seen(parseList([{ path: " ", patch: hunk("x") }])), "malformed");
  const bad = parseList([{ path: "a", patch: hunk("x") }, { path: "b", patch: "no markers" }]);
  deepStrictEqual(isRefusal(bad) && [bad.reason, bad.path], ["malformed", "b"]);
});

Deno.test("parseBody()", async (t) => {
  const cases: [name: string, body: string, paths: string[], want: unknown][] = [
    [
      "sections",
      `=== PATH: my a ===\n${hunk("x")}${hunk("y")}\n=== PATH: b ===\n${hunk("z")}`,
      [],
      [
        ["my a", ["x", "y"]],
        ["b", ["z"]],
      ],
    ],
    ["section twice", `=== PATH: a ===\n${hunk("x")}=== PATH: a ===\n${hunk("y")}`, [], [
      ["a", ["x"]],
      ["a", ["y"]],
    ]],
    ["a path line inside a hunk is content", hunk("=== PATH: q ==="), ["a"], [
      ["a", ["=== PATH: q ==="]],
    ]],
    ["one hunk for each path", hunk("x") + hunk("y"), ["a", "b"], [["a", ["x"]], ["b", ["y"]]]],
    ["one path twice", hunk("x") + hunk("y"), ["a", "a"], [["a", ["x"]], ["a", ["y"]]]],
    ["more hunks than paths", hunk("x") + hunk("y"), ["a"], "malformed"],
    ["more paths than hunks", hunk("x"), ["a", "b"], "malformed"],
    ["path lines beside paths", `=== PATH: a ===\n${hunk("x")}`, ["a"], "malformed"],
    ["no path at all", hunk("x"), [], "malformed"],
    ["empty path", `=== PATH:  ===\n${hunk("x")}`, [], "malformed"],
    ["section without hunks", `=== PATH: a ===\n=== PATH: b ===\n${hunk("x")}`, [], "malformed"],
    ["prose", `=== PATH: a ===\n${hunk("x")}Done.\n`, [], "malformed"],
    ["nothing", "", [], "malformed"],
    ["a hunk cut off", `=== PATH: a ===\n${hunk("x").slice(0, -4)}`, [], "malformed"],
  ];
  for (const [name, body, paths, want] of cases) {
    await t.step(name, () => deepStrictEqual(seen(parseBody(body, paths)), want));
  }
});
