import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createTemporary } from "../../../sandbox/files/temporary_file.ts";
import {
  isTemporaryName,
  removeAbandoned,
  temporaryName,
} from "../../../sandbox/files/temporary_name.ts";
import { walkFiles } from "../../../sandbox/files/walk.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { undoWorld } from "../../helpers/undo_world.ts";

const OURS = ".cordon-0b6cf7a2-7d1b-4c0e-9a37-3f1f6a0f8b52.tmp";

Deno.test("isTemporaryName() knows our names and no others", () => {
  const names: [name: string, ours: boolean][] = [
    [temporaryName(), true],
    [OURS, true],
    [".cordon-undo-0123456789abcdef.tmp", true],
    [".cordon-notes.tmp", false],
    [".cordon-.tmp", false],
    [OURS.toUpperCase(), false],
    [`${OURS}.bak`, false],
    [`x${OURS}`, false],
    [OURS.replace("-4c0e", "-1c0e"), false],
    [".cordon", false],
  ];
  for (const [name, ours] of names) strictEqual(isTemporaryName(name), ours, name);
});

Deno.test("a temporary file is somebody's while its writer lives, and nobody's after a kill", async () => {
  await using dir = await tempDir();
  const module = import.meta.resolve("../../../sandbox/files/temporary_file.ts");
  await using programs = await tempDir({
    "main.ts": `
      import { createTemporary } from ${JSON.stringify(module)};
      const file = await createTemporary(${JSON.stringify(dir.path)}, new Uint8Array(9));
      console.log(file.path);
      await new Promise((resolve) => setTimeout(resolve, 1e9));
    `,
  });
  const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", "--config", config, programs.join("main.ts")],
    env: Deno.env.toObject(),
    clearEnv: true,
    detached: true,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const path = (await reader.read()).value?.trim() ?? "";
  ok(path.startsWith(dir.path), path);
  strictEqual(removeAbandoned(path), false);
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  strictEqual((await Deno.stat(path)).size, 9);
  strictEqual(removeAbandoned(path), true);
  deepStrictEqual([...Deno.readDirSync(dir.path)], []);
});

Deno.test("removeAbandoned() leaves alone what is no file of its own place", async () => {
  await using dir = await tempDir({ "elsewhere/a": "x", [`folder-${OURS}/a`]: "x" });
  await Deno.symlink(dir.join("elsewhere/a"), dir.join(OURS));
  await Deno.symlink(dir.join("elsewhere"), dir.join("link"));
  for (const name of [OURS, "link/a", `folder-${OURS}`, "missing"]) {
    strictEqual(removeAbandoned(dir.join(name)), false, name);
  }
  strictEqual(await Deno.readTextFile(dir.join("elsewhere/a")), "x");
});

Deno.test("a temporary file is gone when its block ends, and hidden from walks until then", async () => {
  await using dir = await tempDir({ a: "x" });
  {
    await using file = await createTemporary(dir.path, new Uint8Array(3));
    ok(file);
    const walk = { real: dir.path, top: dir.path, hidden: true };
    deepStrictEqual((await walkFiles(walk)).files, ["a"]);
  }
  deepStrictEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), ["a"]);
});

Deno.test("the next task takes away what a killed one left, and undo knows nothing of it", async () => {
  await using world = await undoWorld({ "a.txt": "one", [`deep/${OURS}`]: "half" });
  const session = await world.newSession();
  await using live = await createTemporary(world.workspace, new Uint8Array(5));
  ok(live);
  await session.task(async () => {
    deepStrictEqual([...Deno.readDirSync(`${world.workspace}/deep`)], []);
    await world.shell("echo two > a.txt");
  });
  const prepared = await session.prepare("undo");
  ok(prepared.ok);
  deepStrictEqual(prepared.actions.map(({ path }) => path), ["a.txt"]);
  // What is being written at that time is somebody's.
  strictEqual((await Deno.stat(live.path)).size, 5);
});
