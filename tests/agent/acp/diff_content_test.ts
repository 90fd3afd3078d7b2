import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { shownDiff } from "../../../agent/acp/diff_content.ts";
import { unifiedDiff } from "../../../edit/diff.ts";

const named = (path: string) => `/project/${path}`;

Deno.test("shownDiff() gives each hunk as old and new text, with its first changed line", () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n + 1}\n`);
  const old = lines.join("");
  const fresh = lines.with(1, "second\n").toSpliced(20, 1).join("");
  const { content, locations } = shownDiff(unifiedDiff("a.txt", old, fresh), named);
  strictEqual(content.length, 2);
  deepStrictEqual(content[0], {
    type: "diff",
    path: "/project/a.txt",
    oldText: lines.slice(0, 5).join(""),
    newText: lines.with(1, "second\n").slice(0, 5).join(""),
  });
  deepStrictEqual(locations, [
    { path: "/project/a.txt", line: 2 },
    { path: "/project/a.txt", line: 21 },
  ]);
});

Deno.test("shownDiff() tells new files, removed files and missing line ends", () => {
  const diff = (old: string | undefined, fresh: string | undefined, texts: [string, string]) =>
    shownDiff(unifiedDiff({ old, fresh }, ...texts), named).content;
  const path = "/project/a";
  deepStrictEqual(diff(undefined, "a", ["", "one"]), [
    { type: "diff", path, oldText: null, newText: "one" },
  ]);
  deepStrictEqual(diff("a", undefined, ["one\n", ""]), [
    { type: "diff", path, oldText: "one\n", newText: "" },
  ]);
  deepStrictEqual(diff("a", "a", ["one", "one\n"]), [
    { type: "diff", path, oldText: "one", newText: "one\n" },
  ]);
  deepStrictEqual(shownDiff("", named), { content: [], locations: [] });
});

Deno.test("shownDiff(): exchanging every hunk's old text for its new one makes the new text", () => {
  const text = fc.array(fc.constantFrom("a\n", "b\n", "--- c\n", "+++ d\n", "\n", "@@\n", "e"), {
    maxLength: 40,
  }).map((lines) => lines.join(""));
  fc.assert(fc.property(text, text, (old, fresh) => {
    const diff = unifiedDiff("a", old, fresh);
    // Only the lines between hunks begin so: those of a text have a sign before them.
    const headers = [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)];
    const { content } = shownDiff(diff, named);
    strictEqual(content.length, headers.length);
    const lines = old.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    let made = "";
    let at = 0;
    for (const [n, [, first, count = "1"]] of headers.entries()) {
      const hunk = content[n];
      ok(hunk?.type === "diff");
      const start = count === "0" ? Number(first) : Number(first) - 1;
      const end = start + Number(count);
      strictEqual(hunk.oldText, lines.slice(start, end).join(""));
      made += lines.slice(at, start).join("") + hunk.newText;
      at = end;
    }
    strictEqual(made + lines.slice(at).join(""), fresh);
  }));
});
