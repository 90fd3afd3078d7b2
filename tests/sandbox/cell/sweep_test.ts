import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { type CellFiles, createCellFiles } from "../../../sandbox/cell/client.ts";
import type { PipedProcess } from "../../../sandbox/commands/piped_process.ts";
import { openQuarantine } from "../../../sandbox/sweep/quarantine.ts";
import { sweepAround } from "../../../sandbox/sweep/sweeper.ts";
import { cellHouse } from "../../helpers/cell.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

interface House extends AsyncDisposable {
  readonly files: CellFiles;
  readonly dir: TempDir;
  readonly started: PipedProcess[];
}

/** A workspace with real cells, under the flags that they have in a view. */
async function house(content: Record<string, string> = {}): Promise<House> {
  const cells = await cellHouse();
  const dir = await tempDir(content);
  const started: PipedProcess[] = [];
  const files = createCellFiles({
    spawn() {
      const process = cells.start({ workspace: dir.path });
      started.push(process);
      return process;
    },
    roots: { workspace: dir.path },
    cwd: () => dir.path,
    timeoutMs: 60_000,
  });
  return {
    ...{ files, dir, started },
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await cells[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a cell sweeps as this process does, and what it found crosses byte for byte", async () => {
  await using home = await house({ ".npmrc": "mine" });
  await using state = await tempDir();
  const { files: { sweeper }, dir } = home;
  const quarantine = openQuarantine({ folder: state.path, now: () => 1, random: () => "r" });
  const evil = Uint8Array.from([0, 255, 10, 200]);
  const swept = await sweepAround({ sweeper, quarantine, workspace: dir.path }, async () => {
    await Deno.writeFile(dir.join(".envrc"), evil);
    await Deno.writeTextFile(dir.join("main.ts"), "fine");
    return "done";
  });
  strictEqual(swept.result, "done");
  ok(swept.lines[0]?.includes('".envrc" was taken out'), swept.lines[0] ?? "no line");
  deepStrictEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name).sort(), [
    ".npmrc",
    "main.ts",
  ]);
  const [kept] = await quarantine.list((path) => path === dir.path);
  deepStrictEqual([kept?.path, kept && await quarantine.read(kept.id)], [".envrc", evil]);
});

Deno.test("a cell finds the secrets of the workspace", async () => {
  await using home = await house({ ".env": "API_TOKEN=hush-hush-hush" });
  deepStrictEqual(await home.files.sweeper.secrets(), [
    { name: "API_TOKEN", value: "hush-hush-hush" },
  ]);
});

Deno.test("a look is lost with its cell, and no look of another cell is taken for it", async () => {
  await using home = await house();
  const { files: { sweeper }, dir, started } = home;
  const lost = await sweeper.before();
  started[0]?.kill();
  await started[0]?.status;
  const next = await sweeper.before();
  await Deno.writeTextFile(dir.join(".envrc"), "evil");
  await rejects(() => sweeper.after(lost), RangeError);
  strictEqual((await sweeper.after(next)).files.length, 1);
  strictEqual(started.length, 2);
});
