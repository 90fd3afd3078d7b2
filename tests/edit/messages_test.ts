import { deepStrictEqual, match, ok } from "node:assert/strict";
import type { EditForm } from "../../edit/advice.ts";
import { failureMessage } from "../../edit/failure_message.ts";
import { applyCodexHunks } from "../../edit/codex.ts";
import { parseCodex } from "../../edit/codex_grammar.ts";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks } from "../../edit/hunks.ts";
import { replaceUnique } from "../../edit/ladder.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";
import { Source } from "../../edit/source.ts";
import { successMessage } from "../../edit/success_message.ts";

interface Asked {
  readonly form?: EditForm;
  readonly recovery?: "place" | "file" | "none";
  readonly expired?: boolean;
}

function message(refusal: Refusal, file: string, asked: Asked = {}): string[] {
  const { form = "edit", recovery = "place", expired = false } = asked;
  const source = new Source(file);
  return failureMessage(refusal, {
    path: "src/app.ts",
    source,
    form,
    recovery,
    expired: () => expired,
  })
    .split("\n");
}

function failed(file: string, old: string, fresh: string, asked: Asked = {}): string[] {
  const answer = replaceUnique(file, old, fresh);
  ok(!answer.ok, "the edit landed");
  return message(answer, file, asked);
}

const FILE = Array.from({ length: 214 }, (_, n) => `  key${n + 1}: ${n * 7 % 13},\n`).join("");
const block = (first: number, last: number) => FILE.split("\n").slice(first - 1, last).join("\n");

Deno.test("failureMessage() of a miss shows the closest place and the first difference", () => {
  const old = block(88, 92).replace("key90: 12", "key90: 3");
  deepStrictEqual(failed(FILE.replace("key90: 12", "key90: 5"), old, "x"), [
    "not_found: old text (5 lines) is not in src/app.ts (214 lines, LF).",
    "Not found exactly, nor ignoring line endings, trailing blanks, uniform indentation, typographic characters.",
    "Closest place: lines 88-92, 4 of 5 lines equal.",
    "First difference at line 90:",
    "  -   key90: 3,    <- your old text",
    "  +   key90: 5,    <- file",
    "Lines 86-94 now:",
    "    86\t  key86: 10,",
    "    87\t  key87: 4,",
    "    88\t  key88: 11,",
    "    89\t  key89: 5,",
    "    90\t  key90: 5,",
    "    91\t  key91: 6,",
    "    92\t  key92: 0,",
    "    93\t  key93: 7,",
    "    94\t  key94: 1,",
    "The file was not changed.",
    "Next: resend the edit with the file's text, or read the file first.",
  ]);
});

Deno.test("failureMessage() names what lies in blanks", () => {
  const indented = failed("\tif x {\n\t\ty()\n\t}\n", "    if x {\n      y()\n    }", "z");
  deepStrictEqual(indented.slice(3, 6), [
    "Only indentation differs, and not by one rule: at line 2 the file has 2 tabs, old has " +
    "6 spaces (· is a space, → a tab):",
    "  - ······y()",
    "  + →→y()",
  ]);
  const inner = failed("print(a,  b)\n", "print(a, b)", "c").join("\n");
  match(inner, /They differ in blanks only.*\n {2}- print\(a,·b\)\n {2}\+ print\(a,··b\)/);
});

Deno.test("failureMessage() says when the edit is there already, or old is no file text", () => {
  const applied = failed("v = 2\nb\n", "v = 1", "v = 2");
  deepStrictEqual(applied[2], "New text is in the file already: was the edit applied at line 1?");
  const looks: [old: string, what: RegExp][] = [
    ["1: q\n3: r", /line numbers/],
    ["```\nq", /a code fence/],
    ["q\n...\nr", /an ellipsis/],
    ["q &lt; <r", /html entities/],
    ["q\\n\\d", /backslash escapes/],
  ];
  for (const [old, what] of looks) match(failed("a\nb\n", old, "c")[2] ?? "", what);
});

Deno.test("failureMessage() finds the difference far down in a long old text", () => {
  const long = Array.from({ length: 3_000 }, (_, n) => `  line ${n};\n`).join("");
  const cases: [name: string, old: string, says: string[]][] = [
    ["another line", long.replace("line 2000;", "other;"), [
      "Closest place: lines 1-3000, 2999 of 3000 lines equal.",
      "First difference at line 2001:",
    ]],
    ["a line more", long + "more\n", [
      "Closest place: lines 1-3000, 3000 of 3001 lines equal.",
      "First difference at line 3001:",
    ]],
    ["another depth", long.replace("  line 2000;", "    line 2000;"), [
      "Closest place: lines 1-3000, 3000 of 3000 lines equal.",
      "Only indentation differs, and not by one rule: at line 2001 the file has 2 spaces, old has " +
      "4 spaces (· is a space, → a tab):",
    ]],
  ];
  for (const [, old, says] of cases) {
    const lines = failed(long, old, "x");
    deepStrictEqual(lines.slice(2, 4), says);
    ok(lines.some((line) => /^ +(?:2001|3000)\t/.test(line)), "the place is not shown");
  }
});

Deno.test("failureMessage() of an ambiguous text shows the places and a line that tells them apart", () => {
  deepStrictEqual(failed("a\nb\nq\na\nc\n", "a", "z"), [
    "ambiguous: old text fits 2 places in src/app.ts: lines 1, 4.",
    "     1\ta",
    "     2\tb",
    "     3\tq",
    "     4\ta",
    "     5\tc",
    'The line after it tells them apart: with "b" it is the one at line 1.',
    "The file was not changed.",
    "Next: add a neighbouring line to old_string, or pass replace_all: true for all 2.",
  ]);
  deepStrictEqual(failed("f(a, a)\n" + "b\n".repeat(9) + "a\n", "a", "z").slice(0, 6), [
    "ambiguous: old text fits 3 places in src/app.ts: lines 1 (2 times), 11.",
    "     1\tf(a, a)",
    "     2\tb",
    "     3\tb",
    "…",
    "     9\tb",
  ]);
  const many = failed("a\n".repeat(50), "a", "z");
  const most = failed("a\n".repeat(20_000), "a", "z");
  match(most[0] ?? "", /fits 10000 places or more in/);
  match(most.at(-1) ?? "", /replace_all: true for all of them\.$/);
  match(many[0] ?? "", /fits 50 places in src\/app\.ts: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …\.$/);
});

Deno.test("failureMessage() shows as much of the file as it was asked for", () => {
  const old = block(88, 92).replace("key90", "other");
  const none = failed(FILE, old, "x", { recovery: "none" });
  ok(!none.some((line) => line.includes("key")), "file text shown");
  const whole = failed(FILE, old, "x", { recovery: "file" });
  ok(
    whole.includes("     1\t  key1: 0,") && whole.includes("   214\t  key214: 9,"),
    "file not whole",
  );
  const late = failed(FILE, old, "x", { expired: true });
  ok(late.includes("No place in the file is close to it."));
});

Deno.test("failureMessage() stays below 40 lines", () => {
  const long = FILE.repeat(3);
  const answers = [
    failed(FILE, block(10, 120).replace("key60:", "other:"), "x"),
    failed(long, block(10, 60) + "\n", "x"),
    failed(FILE, block(10, 60).replaceAll(":", ";"), "x"),
    failed("y".repeat(100_000), "x".repeat(3_000), "z"),
  ];
  for (const lines of answers) {
    ok(lines.length < 40, `${lines.length} lines`);
    ok(lines.every((line) => line.length < 400), "a line too long");
  }
});

Deno.test("failureMessage() of several hunks starts with the one that failed", () => {
  const hunk = (old: string) => `<<<<<<< ORIGINAL\n${old}\n=======\nx\n>>>>>>> UPDATED\n`;
  const run = (patch: string) => {
    const hunks = parseHunks(patch);
    ok(!isRefusal(hunks));
    const answer = applyHunks("a\nb\n", hunks);
    ok(!answer.ok);
    return message(answer, "a\nb\n", { form: "patch" });
  };
  const long = "q".repeat(150);
  deepStrictEqual(run(hunk("a") + hunk(long) + hunk("b")).slice(0, 3), [
    "hunk 2/3 failed: not_found; 2 of the other 2 hunks would have gone, nothing was written.",
    "It starts:",
    "q".repeat(100),
  ]);
  match(run(hunk("q"))[0] ?? "", /^not_found: /);
  match(run(hunk("a") + hunk("q"))[0] ?? "", /^hunk 2\/2 .*; the other hunk would have gone, /);
  match(run(hunk("p") + hunk("q"))[0] ?? "", /^hunk 1\/2 .*; the other hunk would not have gone, /);
});

Deno.test("failureMessage() of a codex anchor shows it, and not the hunk", () => {
  const run = (file: string, anchor: string) => {
    const files = parseCodex(
      `*** Begin Patch\n*** Update File: f\n@@ ${anchor}\n-x\n+y\n*** End Patch`,
    );
    ok(!isRefusal(files) && files[0]?.kind === "update");
    const answer = applyCodexHunks(file, files[0].hunks);
    ok(!answer.ok);
    return message(answer, file, { form: "codex" });
  };
  deepStrictEqual(run("def load(path):\n  x\n", "def load(file):").slice(0, 2), [
    'not_found: the anchor "def load(file):" is not in the file (src/app.ts).',
    "Closest place: line 1.",
  ]);
  deepStrictEqual(run("f\nx\nf\n", "f"), [
    'ambiguous: the anchor "f" fits 2 lines in src/app.ts: lines 1, 3.',
    "     1\tf",
    "     2\tx",
    "     3\tf",
    "The file was not changed.",
    "Next: write a line above it as another @@ anchor before it.",
  ]);
});

Deno.test("failureMessage() shows where new text cannot be indented as the file is", () => {
  deepStrictEqual(failed("x\n  a\n  b\n", "    a\n    b", "    a\n c").slice(0, 4), [
    "not_found: old text fits with other indentation only, and a new line has none to match it " +
    "(src/app.ts).",
    "     1\tx",
    "     2\t  a",
    "     3\t  b",
  ]);
});

Deno.test("failureMessage() names the format that a patch is in instead", () => {
  const cases: [patch: string, says: RegExp][] = [
    ["*** Begin Patch\n*** End Patch", /a codex patch is for patch_many/],
    ["--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b", /unified diffs are not taken/],
    ["```\n<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED\n```", /no code fence/],
    ["some words", /stands outside of a hunk \(/],
  ];
  for (const [patch, says] of cases) {
    const answer = parseHunks(patch);
    ok(isRefusal(answer));
    match(message(answer, "a\n", { form: "patch" })[0] ?? "", says);
  }
});

Deno.test("failureMessage() ends every refusal with a next step", () => {
  const reasons = [
    ["no_change", /nothing, if this is what you want/],
    ["empty_old", /write_file/],
    ["placeholder", /write the code out/],
    ["malformed", /ORIGINAL/],
    ["overlap", /join/],
    ["stale_anchor", /anchors/],
    ["unverified", /edit_file or patch/],
  ] as const;
  for (const [reason, next] of reasons) {
    const lines = message({ ok: false, reason, detail: "so it is" }, "a\n", { form: "patch" });
    deepStrictEqual(lines[0], `${reason}: so it is (src/app.ts).`);
    match(lines.at(-1) ?? "", next);
  }
});

Deno.test("successMessage()", async (t) => {
  const cases: [name: string, file: string, old: string, fresh: string, want: string[]][] = [
    ["a line", "a\nb\nc\nd\ne\n", "c", "C", [
      "Edited f: exact match, line 3 now:",
      "     1\ta",
      "     2\tb",
      "     3\tC",
      "     4\td",
      "     5\te",
    ]],
    ["more lines, with another rung", "  a\n  b\n", "a\nb", "a\nx\ny", [
      "Edited f: matched with other indentation, new text indented alike, lines 2-3 now:",
      "     1\t  a",
      "     2\t  x",
      "     3\t  y",
    ]],
    ["a deletion", "a\nb\nc\n", "b\n", "", [
      "Edited f: exact match, line 2 now:",
      "     1\ta",
      "     2\tc",
    ]],
    ["everything gone", "a\n", "a\n", "", ["Edited f: exact match, the file is empty now."]],
    ["a repair", "a\nb\n", "1: a\n2: b", "1: a\n2: c", [
      "Edited f: matched without the line numbers in the arguments, line 2 now:",
      "     1\ta",
      "     2\tc",
    ]],
    ["merge conflicts", "a\n>>>>>>> x\n", "a", "b", [
      "Edited f: exact match, line 1 now:",
      "     1\tb",
      "     2\t>>>>>>> x",
      "Warning: the file has merge-conflict markers.",
    ]],
  ];
  for (const [name, file, old, fresh, want] of cases) {
    await t.step(name, () => {
      const answer = replaceUnique(file, old, fresh);
      ok(answer.ok);
      deepStrictEqual(successMessage("f", answer).split("\n"), want);
    });
  }
  await t.step("many places are cut", () => {
    const answer = replaceUnique("a\nb\nc\nd\ne\nf\n".repeat(50), "a", "A", { replaceAll: true });
    ok(answer.ok);
    const lines = successMessage("f", answer).split("\n");
    match(lines[0] ?? "", /^Edited f: 50 places, exact match, line 1, line 7, .*, … now:$/);
    ok(lines.length < 40 && lines.at(-1) === "… (more changed)");
  });
});
