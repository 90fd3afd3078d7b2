import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { morph } from "../../tools/morph.ts";
import { snapshot } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";

const FILE = "function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}\n";
const UPDATE = "// ... existing code ...\nfunction b() {\n  2();\n}\n";
const MERGED = FILE.replace("two", "2");

/** An apply model that gives one answer, and keeps what it was asked. */
function answering(answer: string) {
  const prompts: string[] = [];
  const complete = (prompt: string) => {
    prompts.push(prompt);
    return Promise.resolve(answer);
  };
  return { model: { complete }, prompts };
}

Deno.test("morph sends file and update, checks the merge, and writes what differs", async () => {
  await using dir = await tempDir({ "a.ts": FILE });
  const { model, prompts } = answering(MERGED);
  const args = { path: "a.ts", update: UPDATE, instructions: "Call 2 in b" };
  const { value, text } = await runTool(morph, args, { files: filesIn(dir.path), model });
  deepStrictEqual(prompts, [
    `<instruction>Call 2 in b</instruction>\n<code>${FILE}</code>\n<update>${UPDATE}</update>`,
  ]);
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), MERGED);
  const { message: _, ...facts } = value;
  deepStrictEqual(facts, { ok: true, path: "a.ts", count: 1, lines: [{ first: 6, last: 6 }] });
  match(text, /\n- {2}two\(\);\n\+ {2}2\(\);\n/);
});

Deno.test("morph sends no instruction where none is given", async () => {
  await using dir = await tempDir({ "a.ts": FILE });
  const { model, prompts } = answering(MERGED);
  await runTool(morph, { path: "a.ts", update: UPDATE }, { files: filesIn(dir.path), model });
  strictEqual(prompts[0]?.startsWith("<code>"), true);
});

Deno.test("morph keeps the file's line endings", async () => {
  await using dir = await tempDir({ "a.ts": FILE.replaceAll("\n", "\r\n") });
  const { model } = answering(MERGED);
  await runTool(morph, { path: "a.ts", update: UPDATE }, { files: filesIn(dir.path), model });
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), MERGED.replaceAll("\n", "\r\n"));
});

Deno.test("morph refuses a merge that it cannot answer for, and shows it", async (t) => {
  const rows: [name: string, merged: string, reason: string][] = [
    ["code that the update does not have", MERGED.replace("one", "three"), "unverified"],
    ["an omission comment", `${UPDATE}`, "placeholder"],
    ["nothing", "", "unverified"],
    ["the file as it was", FILE, "no_change"],
  ];
  for (const [name, merged, reason] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.ts": FILE });
      const before = await snapshot(dir.path);
      const { model } = answering(merged);
      const { value, text } = await runTool(morph, { path: "a.ts", update: UPDATE }, {
        files: filesIn(dir.path),
        model,
      });
      strictEqual(value.reason, reason);
      ok(text.endsWith(`\n[not edited: ${reason}]`), text);
      if (reason === "unverified") match(text, /\n--- a\/a\.ts\n\+\+\+ b\/a\.ts\n@@ /);
      deepStrictEqual(await snapshot(dir.path), before);
    });
  }
});

Deno.test("morph refuses a merge without the code that an omission comment stands for", async (t) => {
  const rows: [name: string, update: string, merged: string][] = [
    ["at the start", UPDATE, "function b() {\n  2();\n}\n"],
    [
      "at the end",
      "function a() {\n  1();\n}\n// ... existing code ...\n",
      "function a() {\n  1();\n}\n",
    ],
    [
      "between two lines of the update",
      "function a() {\n  // ... existing code ...\n}\n\nfunction b() {\n  2();\n}\n",
      "function a() {\n}\n\nfunction b() {\n  2();\n}\n",
    ],
  ];
  for (const [name, update, merged] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.ts": FILE });
      const { model } = answering(merged);
      const { value, text } = await runTool(morph, { path: "a.ts", update }, {
        files: filesIn(dir.path),
        model,
      });
      strictEqual(value.reason, "unverified");
      match(text, /\n--- a\/a\.ts\n\+\+\+ b\/a\.ts\n@@ /);
      strictEqual(await Deno.readTextFile(dir.join("a.ts")), FILE);
    });
  }
});

Deno.test("morph asks no model about a file that it cannot edit", async (t) => {
  const rows: [name: string, path: string, reason: string][] = [
    ["a missing file", "b.ts", "not_a_file"],
    ["a path outside", "../x.ts", "denied"],
    ["a binary file", "data.bin", "binary"],
    ["a file of 500 000 characters", "long.txt", "too_large"],
  ];
  for (const [name, path, reason] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({
        "data.bin": Uint8Array.from([0]),
        "long.txt": "x".repeat(500_000),
      });
      const { model, prompts } = answering(MERGED);
      const { value } = await runTool(morph, { path, update: UPDATE }, {
        files: filesIn(dir.path),
        model,
      });
      strictEqual(value.reason, reason);
      deepStrictEqual(prompts, []);
    });
  }
});

Deno.test("morph shows a person the very change that it writes, and asks the model once", async () => {
  await using dir = await tempDir({ "a.ts": FILE });
  const { model, prompts } = answering(MERGED);
  const backing = { files: filesIn(dir.path), model };
  const args = { path: "a.ts", update: UPDATE };
  const plan = await planOf(morph, args, backing);
  match(plan.preview ?? "", /\n- {2}two\(\);\n\+ {2}2\(\);\n/);
  await runPlanned(morph, args, backing, plan);
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), MERGED);
  strictEqual(prompts.length, 1);
});

Deno.test("morph is stale where the file changed while the model worked", async () => {
  await using dir = await tempDir({ "a.ts": FILE });
  const backing = { files: filesIn(dir.path), ...answering(MERGED) };
  const args = { path: "a.ts", update: UPDATE };
  const plan = await planOf(morph, args, backing);
  const changed = FILE.replace("one();", "one();\n  more();\n  still();");
  await Deno.writeTextFile(dir.join("a.ts"), changed);
  const { value } = await runPlanned(morph, args, backing, plan);
  strictEqual(value.reason, "stale");
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), changed);
});

Deno.test("morph passes on that no model answers", async () => {
  await using dir = await tempDir({ "a.ts": FILE });
  const files = filesIn(dir.path);
  const failing = { complete: () => Promise.reject(new Error("Cannot reach the model: no route")) };
  const args = { path: "a.ts", update: UPDATE };
  const ask = async (given: Parameters<typeof planOf>[2]) =>
    await planOf(morph, args, given).then(() => "planned", (error) => error.message);
  strictEqual(await ask({ files, model: failing }), "Cannot reach the model: no route");
  match(await ask({ files }), /none is configured/);
});
