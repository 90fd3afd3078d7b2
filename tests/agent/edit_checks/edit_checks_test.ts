import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { diagnosticsSchema, formatSchema } from "../../../agent/edit_checks/checks_schema.ts";
import { editedFiles } from "../../../agent/edit_checks/edited_file.ts";
import { matcherOf } from "../../../agent/edit_checks/matching.ts";
import { checkedWorld } from "./world.ts";

/** Makes `a` of `A`, and says so on its standard error. */
const LOWER = ["sh", "-c", 'tr A-Z a-z <"$1" >"$1.new" && mv "$1.new" "$1"', "lower", "$FILE"];

/** Finds lines with "bug" in a file: `name:line: text`. */
const GREP = ["sh", "-c", '! grep -n bug "$1"', "grep", "$FILE"];

Deno.test("a formatter's change is made and told as a diff", async (t) => {
  const format = [{ match: "*.txt", command: LOWER }];
  await using world = await checkedWorld({ format });
  await t.step("what it changed", async () => {
    deepStrictEqual(await world.edit("a.txt", "ONE\ntwo\n"), [
      "[a.txt was formatted by sh -c; what that changed:]\n" +
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-ONE\n+one\n two",
    ]);
    strictEqual(await world.read("a.txt"), "one\ntwo\n");
  });
  await t.step("nothing where it changed nothing, or is not about the file", async () => {
    deepStrictEqual(await world.edit("a.txt", "one\n"), []);
    deepStrictEqual(await world.edit("a.md", "ONE\n"), []);
    strictEqual(await world.read("a.md"), "ONE\n");
  });
  await t.step("much of it is read again, and not told", async () => {
    const [told = ""] = await world.edit("a.txt", "ONE\n".repeat(1_000));
    strictEqual(told, "[a.txt was formatted by sh -c, which changed much of it: read it again]");
  });
});

Deno.test("a formatter that fails is told, and the edit stands", async (t) => {
  const failing: [name: string, command: string[], timeout: number, told: RegExp][] = [
    [
      "a code",
      ["sh", "-c", "echo bad line 3 >&2; exit 1", "$FILE"],
      10,
      /exit code 1, bad line 3\]$/,
    ],
    ["too slow", ["sh", "-c", "sleep 1000", "$FILE"], 0.2, /it took more than 0.2 s\]$/],
    ["missing", ["no-such-program", "$FILE"], 10, /^\[not formatted: no-such-program: /],
  ];
  for (const [name, command, timeout, told] of failing) {
    await t.step(name, async () => {
      await using world = await checkedWorld({ format: [{ match: "**", command, timeout }] });
      const notes = await world.edit("a.txt", "ONE\n");
      match(notes.join("\n"), told);
      strictEqual(await world.read("a.txt"), "ONE\n");
    });
  }
});

Deno.test("a formatter that leaves no file, or no text, is told", async () => {
  const scripts = ['rm "$1"', 'rm "$1" && mkdir "$1"', 'printf "\\0\\1" >"$1"'];
  for (const script of scripts) {
    const format = [{ match: "**", command: ["sh", "-c", script, "x", "$FILE"] }];
    await using world = await checkedWorld({ format });
    deepStrictEqual(await world.edit("a.txt", "x"), ["[sh -c left no text in a.txt: read it]"]);
  }
});

Deno.test({
  name: "a formatter that takes the right to read takes no result",
  // Nothing keeps root from reading.
  ignore: Deno.uid() === 0,
  async fn() {
    const command = ["chmod", "000", "$FILE"];
    await using world = await checkedWorld({ format: [{ match: "**", command }] });
    deepStrictEqual(await world.edit("a.txt", "x"), ["[chmod 000 left no text in a.txt: read it]"]);
  },
});

Deno.test("a file name cannot become another word or option of a command", async () => {
  const command = ["sh", "-c", 'printf "%s\\n" "$#" "$1" >args', "x", "$FILE"];
  await using world = await checkedWorld({ format: [{ match: "**", command }] });
  await world.edit("-a; touch $(x) $FILE '.txt", "");
  const file = `${world.workspace}/-a; touch $(x) $FILE '.txt`;
  strictEqual(await world.read("args"), `1\n${file}\n`);
});

Deno.test("a program's problems are told where an edit made them", async (t) => {
  const diagnostics = [{ match: "*.txt", command: GREP }];
  await using world = await checkedWorld({ diagnostics }, { "a.txt": "old bug\nfine\n" });
  const told = (
    ...lines: string[]
  ) => [`[new problems after this edit, by sh -c:]\n${lines.join("\n")}`];
  await t.step("what was there before is none", async () => {
    deepStrictEqual(await world.edit("a.txt", "fine\nfine\nold bug\n"), []);
  });
  await t.step("a new one, and the old one not", async () => {
    const notes = await world.edit("a.txt", "new bug\nfine\nold bug\n");
    deepStrictEqual(notes, told("1:new bug"));
  });
  await t.step("told once", async () => {
    deepStrictEqual(await world.edit("a.txt", "new bug\nfine\nold bug\nmore\n"), []);
  });
  await t.step("in a file that was not there", async () => {
    deepStrictEqual(await world.edit("b.txt", "bug\n"), told("1:bug"));
  });
  await t.step("what somebody else made of it meanwhile is not the edit's", async () => {
    await world.write("b.txt", "other bug\n");
    deepStrictEqual(await world.edit("b.txt", "other bug\nfine\n"), []);
  });
});

Deno.test("a program without a file looks at all of them, once for an edit of many", async () => {
  const command = ["sh", "-c", "echo x >>runs; cat *.txt | grep bug && exit 1; exit 0"];
  const diagnostics = [{ match: "*.txt", command }];
  await using world = await checkedWorld({ diagnostics }, { "a.txt": "one bug\n" });
  const plan = { touches: ["b.txt", "c.txt"].map((path) => ({ kind: "write" as const, path })) };
  const { notes } = await world.checks.around(plan, new AbortController().signal, async () => {
    await world.write("b.txt", "two bug\n");
    return { ok: true };
  });
  deepStrictEqual(notes, ["[new problems after this edit, by sh -c:]\ntwo bug"]);
  strictEqual(await world.read("runs"), "x\nx\n");
});

Deno.test("a checker that fails says so once, and again after it has worked", async () => {
  const command = ["sh", "-c", "test -e broken && exec sleep 1000; exit 0"];
  await using world = await checkedWorld({ diagnostics: [{ match: "**", command, timeout: 0.3 }] });
  const failed = ["[no diagnostics: sh -c: it took more than 0.3 s]"];
  await world.write("broken", "");
  deepStrictEqual(await world.edit("a.txt", "1"), failed);
  deepStrictEqual(await world.edit("a.txt", "2"), []);
  await Deno.remove(`${world.workspace}/broken`);
  deepStrictEqual(await world.edit("a.txt", "3"), []);
  await world.write("broken", "");
  deepStrictEqual(await world.edit("a.txt", "4"), failed);
});

Deno.test("an edit that was refused, or fails, is not checked", async () => {
  const command = ["sh", "-c", "echo x >>ran", "$FILE"];
  await using world = await checkedWorld({ format: [{ match: "**", command }] });
  const plan = { touches: [{ kind: "write" as const, path: "a.txt" }] };
  const { signal } = new AbortController();
  const refused = { ok: false, reason: "stale" };
  deepStrictEqual(await world.checks.around(plan, signal, () => Promise.resolve(refused)), {
    result: refused,
    notes: [],
  });
  await rejects(world.checks.around(plan, signal, () => Promise.reject(new Error("full"))), /full/);
  const reads = { touches: [{ kind: "read" as const, path: "a.txt" }] };
  await world.checks.around(reads, signal, () => Promise.resolve({ ok: true }));
  await rejects(world.read("ran"), Deno.errors.NotFound);
});

Deno.test("editedFiles() are those of the workspace, each once, and not too many", () => {
  const plan = (...paths: string[]) => ({
    touches: paths.map((path) => ({ kind: "write" as const, path })),
  });
  const names = (...paths: string[]) =>
    editedFiles(plan(...paths), "/w/sub", "/w").map(({ name }) => name);
  deepStrictEqual(names("a", "/w/sub/a", "../b", "/w", "/etc/x", "../../c"), ["sub/a", "b"]);
  strictEqual(names(...Array.from({ length: 99 }, (_, index) => `${index}`)).length, 20);
});

Deno.test("matcherOf() is about the last part of a name, or all of it where there is a slash", () => {
  const fits = (glob: string, name: string) => matcherOf(glob)(name);
  deepStrictEqual(
    [
      ["*.ts", "src/deep/a.ts"],
      ["*.{ts,tsx}", "a.tsx"],
      ["src/**/*.ts", "src/a.ts"],
      ["**", ".github/x"],
      [".*rc", "home/.bashrc"],
    ].map(([glob = "", name = ""]) => fits(glob, name)),
    [true, true, true, true, true],
  );
  deepStrictEqual(
    [["*.ts", "a.tsx"], ["src/*.ts", "lib/a.ts"], ["src/*.ts", "src/b/a.ts"]]
      .map(([glob = "", name = ""]) => fits(glob, name)),
    [false, false, false],
  );
});

Deno.test("a configuration of checks that could not work is refused", () => {
  ok(formatSchema.safeParse([{ match: "*", command: ["fmt", "--file=$FILE"] }]).success);
  throws(() => formatSchema.parse([{ match: "*", command: ["fmt"] }]), /no word of it holds/);
  for (
    const wrong of [
      { match: "*", command: [] },
      { match: "*", command: "tsc" },
      { match: "*", lsp: ["x"], command: ["y"] },
      { match: "*" },
      { match: "*", command: ["x"], timeout: 1_000 },
    ]
  ) {
    strictEqual(diagnosticsSchema.safeParse([wrong]).success, false, JSON.stringify(wrong));
  }
});
