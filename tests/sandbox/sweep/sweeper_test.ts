import { fileURLToPath } from "node:url";
import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { packFindings, unpackFindings } from "../../../sandbox/sweep/findings_message.ts";
import { acceptQuarantined, openQuarantine } from "../../../sandbox/sweep/quarantine.ts";
import type { Findings } from "../../../sandbox/sweep/sweep.ts";
import { createSweeper, sweepAround, type Sweeper } from "../../../sandbox/sweep/sweeper.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

function quarantineIn(folder: string) {
  let last = 0;
  return openQuarantine({ folder, now: () => 1, random: () => `r${++last}` });
}

Deno.test("sweepAround() keeps what a command made, takes it back, and a person may accept it", async () => {
  await using state = await tempDir();
  await using dir = await tempDir({ ".npmrc": "mine" });
  const quarantine = quarantineIn(state.path);
  const context = { sweeper: createSweeper(dir.path), quarantine, workspace: dir.path };
  const swept = await sweepAround(context, async () => {
    await Deno.writeTextFile(dir.join(".envrc"), "evil");
    await Deno.writeTextFile(dir.join(".npmrc"), "evil");
    await Deno.writeTextFile(dir.join("main.ts"), "fine");
    return "done";
  });
  strictEqual(swept.result, "done");
  strictEqual(swept.lines.length, 2);
  const names = [...Deno.readDirSync(dir.path)].map(({ name }) => name).sort();
  deepStrictEqual(names, [".npmrc", "main.ts"]);
  strictEqual(await Deno.readTextFile(dir.join(".npmrc")), "mine");
  await acceptQuarantined(quarantine, dir.path, ".npmrc", { replace: true });
  strictEqual(await Deno.readTextFile(dir.join(".npmrc")), "evil");
  // What a person put there is theirs at the next command.
  const next = await sweepAround(context, () => Promise.resolve(1));
  deepStrictEqual(next, { result: 1, lines: [] });
});

Deno.test("sweepAround() sweeps after a command that throws, too", async () => {
  await using dir = await tempDir();
  const context = { sweeper: createSweeper(dir.path), workspace: dir.path };
  const failing = sweepAround(context, async () => {
    await Deno.writeTextFile(dir.join(".envrc"), "evil");
    throw new Error("killed");
  });
  await rejects(failing, { message: "killed" });
  deepStrictEqual([...Deno.readDirSync(dir.path)], []);
});

Deno.test("sweepAround() tells what nobody takes back, and asks for nothing to be undone", async () => {
  await using dir = await tempDir();
  const sweeper = createSweeper(dir.path);
  const asked: number[] = [];
  const watched: Sweeper = {
    ...sweeper,
    undo(look) {
      asked.push(look);
      return sweeper.undo(look);
    },
  };
  const run = (work: () => void) =>
    sweepAround({ sweeper: watched, workspace: dir.path }, () => Promise.resolve(work()));
  deepStrictEqual((await run(() => {})).lines, []);
  let listener: Deno.Listener | undefined;
  using _closing = { [Symbol.dispose]: () => listener?.close() };
  const { lines } = await run(() => {
    listener = Deno.listen({ transport: "unix", path: dir.join("door") });
  });
  deepStrictEqual([lines, asked], [['"door" is a new socket'], []]);
  await run(() => Deno.writeTextFileSync(dir.join(".envrc"), "evil"));
  deepStrictEqual(asked.length, 1);
});

Deno.test("a sweeper keeps commands apart that run at once", async () => {
  await using dir = await tempDir();
  const sweeper = createSweeper(dir.path);
  const first = await sweeper.before();
  await Deno.writeTextFile(dir.join(".envrc"), "mine by then");
  const second = await sweeper.before();
  deepStrictEqual((await sweeper.after(second)).files, []);
  strictEqual((await sweeper.after(first)).files.length, 1);
  await sweeper.undo(first);
  for (const look of [first, second]) {
    await rejects(async () => await sweeper.after(look), RangeError);
    await rejects(async () => await sweeper.undo(look), RangeError);
  }
});

Deno.test("a sweeper remembers the set-id bits of its first look", async () => {
  await using dir = await tempDir({ old: "x", new: "x" });
  await Deno.chmod(dir.join("old"), 0o4755);
  const sweeper = createSweeper(dir.path);
  for (const want of [["new"], []]) {
    const look = await sweeper.before();
    await Deno.chmod(dir.join("new"), want.length > 0 ? 0o4755 : 0o755);
    deepStrictEqual((await sweeper.after(look)).setIds.map(({ path }) => path), want);
    if (want.length > 0) deepStrictEqual((await sweeper.undo(look)).setIds, want);
  }
  strictEqual((await Deno.stat(dir.join("old"))).mode! & 0o7777, 0o4755);
});

Deno.test("a sweeper finds the secrets of the workspace's files, and follows no link", async () => {
  await using outside = await tempDir({ ".env": "TOKEN=of-another-folder" });
  await using dir = await tempDir({
    ".env": "TOKEN=one-of-ours\nOTHER_TOKEN=two-of-ours",
    "deploy/.env.production": "TOKEN=one-of-ours",
    "node_modules/a/.env": "TOKEN=of-a-package",
    "main.ts": "TOKEN=in-a-program",
  });
  await Deno.symlink(outside.join(".env"), dir.join(".env.linked"));
  await Deno.symlink(outside.path, dir.join("linked"));
  const sweeper = createSweeper(dir.path);
  const values = async () => (await sweeper.secrets()).map(({ value }) => value).sort();
  deepStrictEqual(await values(), ["one-of-ours", "two-of-ours"]);
  await Deno.writeTextFile(dir.join(".env.new"), "TOKEN=three-of-ours");
  await sweeper.before();
  deepStrictEqual(await values(), ["one-of-ours", "three-of-ours", "two-of-ours"]);
});

Deno.test("a sweep needs no more than to read and write the workspace", async () => {
  await using dir = await tempDir({ ".husky/pre-commit": "mine", tool: "x" });
  const program = fileURLToPath(new URL("./sweep_program.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      "--cached-only",
      `--allow-read=${dir.path}`,
      `--allow-write=${dir.path}`,
      program,
      dir.path,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    detached: true,
    clearEnv: true,
    env: { HOME: Deno.env.get("HOME") ?? "/nonexistent", DENO_NO_UPDATE_CHECK: "1" },
  }).spawn();
  const { stdout } = await child.output();
  deepStrictEqual(JSON.parse(new TextDecoder().decode(stdout)), {
    found: 2,
    undone: {
      files: [
        { path: ".envrc", reason: "direnv runs it on entering the folder", done: "removed" },
        { path: ".husky/pre-commit", reason: "git runs it as a hook", done: "restored" },
      ],
      setIds: ["tool"],
    },
  });
  strictEqual(await Deno.readTextFile(dir.join(".husky/pre-commit")), "mine");
});

Deno.test("unpackFindings() reads what packFindings() wrote, through JSON", () => {
  const seen = fc.record({
    path: fc.string(),
    kind: fc.constantFrom("file" as const, "link" as const),
    reason: fc.string(),
    inode: fc.nat(),
    size: fc.nat(),
    mtimeMs: fc.nat(),
    mode: fc.nat(0o7777),
  }, { noNullPrototype: true });
  const file = fc.oneof(
    fc.record({ seen }, { noNullPrototype: true }),
    fc.record({ seen, bytes: fc.uint8Array() }, { noNullPrototype: true }),
  );
  const findings: fc.Arbitrary<Findings> = fc.record({
    files: fc.array(file),
    setIds: fc.array(seen),
    special: fc.array(seen),
    unreadable: fc.array(fc.string()),
    stopped: fc.boolean(),
  }, { noNullPrototype: true });
  fc.assert(fc.property(findings, (findings) => {
    const { value, body } = packFindings(findings);
    deepStrictEqual(unpackFindings({ value: JSON.parse(JSON.stringify(value)), body }), findings);
  }));
});
