import { fileURLToPath } from "node:url";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createSession, openSession } from "../../../agent/session/log.ts";
import { readLog } from "../../../agent/session/read_log.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { options, unpaired } from "./fixtures.ts";

const now = () => new Date(Date.UTC(2026, 11, 2));

Deno.test("openSession() is refused while another process has the session open", async () => {
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  match(await run("open", dir.path, session.id), /^locked: .*another process has it open/);
  await session.close("done");
  strictEqual(await run("open", dir.path, session.id), "opened\n");
});

Deno.test("a session needs to read and write its folder, and nothing else", async () => {
  await using dir = await tempDir();
  strictEqual(await run("tour", dir.path), '[2,2,"found"]\n');
});

Deno.test("a log outlives SIGKILL of its writer", async (t) => {
  for (const records of [4, 12, 40, 100, 240]) {
    await t.step(`after ${records} records`, async () => {
      await using dir = await tempDir();
      const id = await killAfter(records, dir.path);
      const session = await openSession({ folder: dir.path, id, now });
      ok(session.conversation.turns >= records / 4);
      deepStrictEqual(unpaired(session.conversation.messages), []);
      await session.close("done");
      const { records: read } = readLog(await Deno.readFile(session.path ?? ""), id);
      ok(read.length > records);
    });
  }
});

/** Starts the program with rights to `folder` alone. */
function spawn(verb: string, folder: string, ...more: string[]): Deno.ChildProcess {
  const program = fileURLToPath(new URL("./program.ts", import.meta.url));
  const rights = [`--allow-read=${folder}`, `--allow-write=${folder}`];
  const args = ["run", "--no-prompt", "--cached-only", ...rights, program, verb, folder, ...more];
  const env: Record<string, string> = { DENO_NO_UPDATE_CHECK: "1" };
  for (const name of ["HOME", "DENO_DIR", "XDG_CACHE_HOME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  const options = { args, env, clearEnv: true, detached: true, stdin: "null" } as const;
  return new Deno.Command(Deno.execPath(), { ...options, stdout: "piped", stderr: "inherit" })
    .spawn();
}

async function run(verb: string, folder: string, ...more: string[]): Promise<string> {
  const child = spawn(verb, folder, ...more);
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout);
}

/** Kills a writer as soon as it says that it wrote so many records; resolves to its session. */
async function killAfter(records: number, folder: string): Promise<string> {
  const child = spawn("write", folder);
  let said = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += part;
    if (said.split("\n").slice(1, -1).some((count) => Number(count) >= records)) break;
  }
  child.kill("SIGKILL");
  await child.status;
  return said.split("\n")[0] ?? "";
}
