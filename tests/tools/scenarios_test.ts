import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import { readPatches } from "../../agent/model/markdown/patch_body.ts";
import { patchManyTool } from "../../tools/patch_many.ts";
import { textsIn } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, runTool } from "../helpers/tool_calls.ts";

const SCENARIOS = join(import.meta.dirname ?? "", "../fixtures/patches");

/**
 * Each folder holds the files before (`input`), a patch of many files in either text form, and what
 * must come of it: the files after (`expected`), or `refusal.txt`, a reason and the path concerned.
 */
Deno.test("patch scenarios in folders", async (t) => {
  const names = (await Array.fromAsync(Deno.readDir(SCENARIOS))).map(({ name }) => name).sort();
  for (const name of names) {
    await t.step(name, async () => {
      const folder = join(SCENARIOS, name);
      const input = await textsIn(join(folder, "input"));
      await using dir = await tempDir(input);
      const read = readPatches(await Deno.readTextFile(join(folder, "patch.txt")), []);
      deepStrictEqual(read.ok, true);
      const args = read.ok ? read.args : {};
      const { value } = await runTool(patchManyTool({ recovery: "place" }), args, {
        files: filesIn(dir.path),
      });
      const refusal = await wantedRefusal(folder);
      const answer = value.ok === true ? undefined : `${value.reason} ${value.path}`;
      deepStrictEqual(answer, refusal);
      const wanted = refusal === undefined ? await wantedTexts(folder) : input;
      deepStrictEqual(await textsIn(dir.path), wanted);
    });
  }
});

async function wantedRefusal(folder: string): Promise<string | undefined> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  if (!names.includes("refusal.txt")) return undefined;
  return (await Deno.readTextFile(join(folder, "refusal.txt"))).trim();
}

async function wantedTexts(folder: string): Promise<Record<string, string>> {
  return await textsIn(join(folder, "expected"));
}
