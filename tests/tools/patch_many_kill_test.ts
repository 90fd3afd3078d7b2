import { fileURLToPath } from "node:url";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { recoverJournals } from "../../agent/backing/recover_journals.ts";
import { textsIn } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn } from "../helpers/tool_calls.ts";
import { FIVE_FILES } from "./five_files.ts";

Deno.test("patch_many of five files, killed at every step, is all old or all new", async (t) => {
  const { before, after } = FIVE_FILES;
  const outcomes: string[] = [];
  for (let step = 1;; step++) {
    await using dir = await tempDir({ "w/": "" });
    await putFiles(dir.join("w"), before);
    const said = await killAt(step, dir.join("w"), dir.join("state"));
    if (said.startsWith("done")) {
      strictEqual(said, `done in ${step - 1}`);
      deepStrictEqual(await textsIn(dir.join("w")), after);
      break;
    }
    await t.step(`step ${step}, ${said}`, async () => {
      await recoverJournals(dir.join("state"), filesIn(dir.join("w")));
      const found = await textsIn(dir.join("w"));
      const isNew = "new/made.txt" in found;
      deepStrictEqual(found, isNew ? after : before);
      outcomes.push(isNew ? "new" : "old");
      deepStrictEqual(await recoverJournals(dir.join("state"), filesIn(dir.join("w"))), []);
      deepStrictEqual(await textsIn(dir.join("state")), {});
    });
  }
  match(outcomes.join(" "), /^(old )+(new ?)+$/);
  ok(outcomes.length >= 14, `${outcomes.length} steps`);
});

async function putFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(new URL(".", `file://${folder}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
}

/** Starts the patch, and kills it when it says that it got to the step; resolves to what it said. */
async function killAt(step: number, workspace: string, journal: string): Promise<string> {
  await Deno.mkdir(journal);
  const child = spawn([workspace, journal, String(step)]);
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("\n")) {
    const { value, done } = await lines.read();
    if (done) break;
    said += value;
  }
  await lines.cancel();
  if (!said.startsWith("done")) child.kill("SIGKILL");
  await child.stdin.close();
  await child.status;
  return said.trim();
}

function spawn(words: readonly string[]): Deno.ChildProcess {
  const program = fileURLToPath(new URL("./patch_many_program.ts", import.meta.url));
  const [workspace, journal] = words;
  const rights = [
    `--allow-read=${workspace},${journal}`,
    `--allow-write=${workspace},${journal}`,
  ];
  const args = ["run", "--no-prompt", "--cached-only", "--no-check", ...rights, program, ...words];
  const env: Record<string, string> = { DENO_NO_UPDATE_CHECK: "1" };
  for (const name of ["HOME", "DENO_DIR", "XDG_CACHE_HOME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  const options = { args, env, clearEnv: true, detached: true, stdin: "piped" } as const;
  return new Deno.Command(Deno.execPath(), { ...options, stdout: "piped", stderr: "inherit" })
    .spawn();
}
