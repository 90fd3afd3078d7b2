import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createRedaction } from "../../../agent/redaction.ts";
import { createSweeping } from "../../../agent/backing/sweeping.ts";
import type { Commands } from "../../../sandbox/commands/commands.ts";
import { createProcessGroupCommands } from "../../../sandbox/commands/process_group.ts";
import { createShell } from "../../../sandbox/commands/shell.ts";
import { ownStateFolder } from "../../../sandbox/commands/shell_folder.ts";
import { createSweeper } from "../../../sandbox/sweep/sweeper.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

const LONG = { timeoutMs: 60_000 };

/** Real commands in a workspace that is swept. */
async function house(content: Record<string, string> = {}, writes = true) {
  const dir = await tempDir({ "ws/": "", "state/": "", ...content });
  const workspace = dir.join("ws");
  const told: string[] = [];
  const redaction = createRedaction([]);
  const sweeper = createSweeper(workspace);
  const alarm = (line: string) => told.push(line);
  const sweeping = createSweeping({ sweeper, writes, workspace, redaction, alarm });
  const own = createProcessGroupCommands({
    shell: createShell({ workspace, state: ownStateFolder(dir.join("state")) }),
    environment: { PATH: Deno.env.get("PATH") ?? "" },
  });
  return {
    ...{ dir, told, redaction, sweeping, commands: sweeping.commands(own) },
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

function isThere(dir: TempDir, name: string): boolean {
  return [...Deno.readDirSync(dir.join("ws"))].some((entry) => entry.name === name);
}

function bash(commands: Commands, script: string) {
  return commands.run(["bash", "-c", script], LONG);
}

Deno.test("a command that makes a file that is obeyed says so in its result, and to the person", async () => {
  await using home = await house();
  const { notes } = await bash(home.commands, "echo evil >.envrc; echo fine >a");
  match(notes?.join() ?? "", /^".envrc" was taken out of the workspace: /);
  deepStrictEqual(home.told, notes);
  deepStrictEqual([isThere(home.dir, ".envrc"), isThere(home.dir, "a")], [false, true]);
  strictEqual((await bash(home.commands, "echo fine >b")).notes, undefined);
});

Deno.test("what a person does between commands is theirs", async () => {
  await using home = await house();
  await bash(home.commands, "true");
  await Deno.writeTextFile(home.dir.join("ws", ".envrc"), "mine");
  strictEqual((await bash(home.commands, "true")).notes, undefined);
  strictEqual(await Deno.readTextFile(home.dir.join("ws", ".envrc")), "mine");
});

Deno.test("a command that only looks is not swept, and its secrets are known all the same", async () => {
  await using home = await house({ "ws/.env": "API_TOKEN=hush-hush-hush" }, false);
  strictEqual((await bash(home.commands, "echo evil >.envrc")).notes, undefined);
  strictEqual(isThere(home.dir, ".envrc"), true);
  strictEqual(home.redaction.redact("hush-hush-hush"), "[redacted: API_TOKEN]");
});

Deno.test("a secret that a command writes is one from then on", async () => {
  await using home = await house();
  await bash(home.commands, "echo API_TOKEN=hush-hush-hush >.env");
  strictEqual(home.redaction.redact("hush-hush-hush"), "[redacted: API_TOKEN]");
});

Deno.test("a job is swept when it has ended, whatever ran meanwhile", async () => {
  await using home = await house();
  const { commands } = home;
  const job = await commands.start(["bash", "-c", "until [[ -e go ]]; do :; done; :>.npmrc"], {});
  const { notes } = await bash(commands, "echo evil >.envrc; :>go");
  const ended = await job.ended;
  deepStrictEqual([".envrc", ".npmrc"].map((name) => isThere(home.dir, name)), [false, false]);
  // Who ends first takes out what both have made.
  match([...notes ?? [], ...ended.notes ?? []].sort().join(), /\.envrc.*\.npmrc/);
  await home.sweeping.settled();
});

Deno.test("a program that cannot be started is told to who started it", async () => {
  await using home = await house();
  const argv = ["no-such-program-anywhere"] as const;
  await rejects(() => home.commands.start([...argv], {}), { name: "CommandError" });
  await rejects(() => home.commands.run([...argv], LONG), { name: "CommandError" });
  await home.sweeping.settled();
});

Deno.test("opened programs are swept at the end of each call that they work in", async () => {
  await using home = await house();
  const { commands, sweeping } = home;
  const script = 'while read -r line; do eval "$line"; echo done; done';
  let program: Awaited<ReturnType<Commands["open"]>> | undefined;
  async function ask(line: string) {
    return await sweeping.call(async () => {
      program ??= await commands.open(["bash", "-c", script]);
      const writer = program.stdin.getWriter();
      await writer.write(new TextEncoder().encode(`${line}\n`));
      writer.releaseLock();
      const reader = program.stdout.getReader();
      await reader.read();
      reader.releaseLock();
    });
  }
  for (const name of [".envrc", ".npmrc"]) {
    const { lines } = await ask(`: >${name}`);
    strictEqual(lines.length, 1);
    match(lines.join(), new RegExp(name));
    strictEqual(isThere(home.dir, name), false);
  }
  deepStrictEqual((await ask("true")).lines, []);
  await program?.kill();
  await sweeping.settled();
  await program?.stdout.cancel();
  await program?.stderr.cancel();
});
