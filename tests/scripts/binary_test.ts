import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { ENTRY, ROOT } from "../../scripts/compile/contents.ts";
import { programBinary } from "../helpers/binary.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const FIXTURE = `${ROOT}tests/fixtures/portable/main.ts`;

Deno.test("programBinary() builds once for all who ask, and again when a source changes", async () => {
  await using dir = await tempDir({ "main.ts": `console.log("one");` });
  const [first, second] = await Promise.all([
    programBinary(dir.join("main.ts")),
    programBinary(dir.join("main.ts")),
  ]);
  strictEqual(first, second);
  const { ino, mtime } = await Deno.stat(first);
  strictEqual(await outputOf(first, dir.path), "one\n");
  await Deno.writeTextFile(dir.join("main.ts"), `console.log("two");`);
  const changed = await programBinary(dir.join("main.ts"));
  notStrictEqual(changed, first);
  strictEqual(await outputOf(changed, dir.path), "two\n");
  const after = await Deno.stat(first);
  deepStrictEqual([after.ino, after.mtime], [ino, mtime]);
  for (const path of [first, changed]) await Deno.remove(path);
});

Deno.test("programBinary() holds what the entry imports", async () => {
  await using dir = await tempDir();
  strictEqual(await outputOf(await programBinary(FIXTURE), dir.path, "package"), "true\n");
});

Deno.test("the binary tells a failure when its right to read is gone", async () => {
  await using dir = await tempDir();
  const { code, stderr } = await new Deno.Command(await programBinary(ENTRY), {
    args: ["rights", "--allow-env", "--tools=no_such_tool"],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: dir.path },
  }).output();
  deepStrictEqual([code, new TextDecoder().decode(stderr)], [
    2,
    'error: Unknown tool "no_such_tool"; see cordon tools\n',
  ]);
});

async function outputOf(path: string, home: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(path, {
    args,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: home },
  }).output();
  return new TextDecoder().decode(stdout);
}
