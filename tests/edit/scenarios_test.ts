import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import { parseCodex } from "../../edit/codex_grammar.ts";
import { parseBody } from "../../edit/many.ts";
import { planCodex, planDiff, planHunks, type PlannedFile, type TextOf } from "../../edit/plan.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";

const ROOT = join(import.meta.dirname ?? "", "../fixtures/patches");

/** The files below a folder, by relative path; none where there is no folder. */
async function readTree(folder: string, below = ""): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const entry of Deno.readDir(join(folder, below))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory) Object.assign(files, await readTree(folder, path));
    else files[path] = await Deno.readTextFile(join(folder, path));
  }
  return files;
}

function plan(patch: string, textOf: TextOf): PlannedFile[] | Refusal {
  if (patch.startsWith("*** Begin Patch")) {
    const files = parseCodex(patch);
    return isRefusal(files) ? files : planCodex(files, textOf);
  }
  const files = parseBody(patch);
  return isRefusal(files) ? files : planHunks(files, textOf);
}

function applied(files: Record<string, string>, planned: readonly PlannedFile[]) {
  const result = { ...files };
  for (const { path, before, after } of planned) {
    deepStrictEqual(before, files[path]);
    if (after === undefined) delete result[path];
    else result[path] = after;
  }
  return result;
}

Deno.test("scenarios in folders", async (t) => {
  const names = (await Array.fromAsync(Deno.readDir(ROOT))).map(({ name }) => name).sort();
  for (const name of names) {
    await t.step(name, async () => {
      const folder = join(ROOT, name);
      const input = await readTree(join(folder, "input"));
      const patch = await Deno.readTextFile(join(folder, "patch.txt"));
      const answer = plan(patch, (path) => input[path]);
      const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
      if (names.includes("refusal.txt")) {
        const want = (await Deno.readTextFile(join(folder, "refusal.txt"))).trim();
        deepStrictEqual(isRefusal(answer) ? `${answer.reason} ${answer.path}` : answer, want);
        return;
      }
      const want = await readTree(join(folder, "expected"));
      deepStrictEqual(isRefusal(answer) ? answer : applied(input, answer), want);
    });
  }
});

Deno.test("planDiff() shows what comes, goes, moves and changes", async () => {
  const folder = join(ROOT, "001_codex_all_kinds");
  const input = await readTree(join(folder, "input"));
  const answer = plan(await Deno.readTextFile(join(folder, "patch.txt")), (path) => input[path]);
  deepStrictEqual(isRefusal(answer) ? answer : planDiff(answer).match(/^(?:---|\+\+\+) .*/gm), [
    "--- a/src/main.ts",
    "+++ b/src/main.ts",
    "--- a/src/old.ts",
    "+++ b/lib/fresh.ts",
    "--- a/NOTES.md",
    "+++ /dev/null",
    "--- /dev/null",
    "+++ b/CHANGELOG.md",
  ]);
});

Deno.test("planCodex() refuses a path that two parts name", () => {
  const textOf: TextOf = (path) => ({ a: "a\n", b: "b\n" })[path];
  const body = (lines: string) => plan(`*** Begin Patch\n${lines}*** End Patch\n`, textOf);
  const cases: [string, string][] = [
    ["*** Delete File: a\n*** Update File: a\n@@\n-a\n+x\n", "malformed"],
    ["*** Delete File: a\n*** Delete File: a\n", "malformed"],
    ["*** Add File: c\n+x\n*** Update File: a\n*** Move to: c\n", "malformed"],
    ["*** Update File: a\n*** Move to: b\n", "exists"],
    ["*** Delete File: c\n", "not_a_file"],
  ];
  for (const [lines, reason] of cases) {
    const answer = body(lines);
    deepStrictEqual(isRefusal(answer) ? answer.reason : answer, reason);
  }
});
