import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { CommandError, type Commands } from "../../../sandbox/commands/commands.ts";
import type { OpenProcess } from "../../../sandbox/commands/open_process.ts";
import { BOTH_COMMANDS } from "../../helpers/both_commands.ts";
import { gone, processesWith } from "../../helpers/processes.ts";

async function say(process: OpenProcess, words: string): Promise<void> {
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(words));
  writer.releaseLock();
}

/** Reads until the text has come. */
async function hear(process: OpenProcess, text: string): Promise<void> {
  // What comes out of a pipe lies in no shared memory, which a decoder must know.
  const stdout = process.stdout as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  while (!heard.includes(text)) {
    const { value, done } = await reader.read();
    ok(!done, `it ended after ${JSON.stringify(heard)}`);
    heard += value;
  }
  await reader.cancel();
}

for (const kind of BOTH_COMMANDS) {
  const { ignore } = kind;

  Deno.test({ name: `open() in a ${kind.name}`, ignore }, async (t) => {
    await using house = await kind.open({ "sub/a.txt": "a" });
    const { commands, workspace } = house;
    const output = async (script: string, options = {}) => {
      const process = await commands.open(["bash", "-c", script], options);
      await process.stdin.close();
      const [out, err, status] = await Promise.all([
        new Response(process.stdout).text(),
        new Response(process.stderr).text(),
        process.status,
      ]);
      return { out, err, status };
    };

    await t.step("talks over three streams", async () => {
      const process = await commands.open(["bash", "-c", "read -r x; echo out $x; echo err >&2"]);
      await say(process, "hello\n");
      const [out, err] = await Promise.all([
        new Response(process.stdout).text(),
        new Response(process.stderr).text(),
      ]);
      await process.stdin.close();
      deepStrictEqual([out, err], ["out hello\n", "err\n"]);
    });

    await t.step("starts in the shell's folder, or another one", async () => {
      strictEqual((await output("pwd")).out, `${workspace}\n`);
      strictEqual(
        (await output("pwd; ls", { cwd: `${workspace}/sub` })).out,
        `${workspace}/sub\na.txt\n`,
      );
    });

    await t.step("takes variables on top of the fixed ones", async () => {
      const { out } = await output("echo $A $TERM $OLDPWD", { env: { A: "1", LD_PRELOAD: "/x" } });
      strictEqual(out, "1 dumb\n");
      strictEqual(
        (await output("echo ${LD_PRELOAD-none}", { env: { LD_PRELOAD: "/x" } })).out,
        "none\n",
      );
    });

    await t.step("inherits no descriptor", async () => {
      const list = "for f in /proc/$$/fd/*; do [[ ${f##*/} -gt 2 && -e $f ]] && echo $f; done";
      strictEqual((await output(list)).out, "");
    });

    await t.step("tells how it ended", async () => {
      const { code, signal } = (await output("exit 3")).status;
      deepStrictEqual({ code, signal }, { code: 3, signal: null });
      deepStrictEqual((await output("kill -TERM $$")).status.signal, "SIGTERM");
    });

    await t.step("kill() ends what it started, too", async () => {
      const word = `8${Date.now()}`;
      const process = await commands.open([
        "bash",
        "-c",
        `trap '' TERM; sleep ${word} & echo up; sleep ${word}`,
      ]);
      await hear(process, "up");
      const pids = await processesWith(`sleep ${word}`);
      ok(pids.length > 0);
      await process.kill();
      await gone(pids);
      await Promise.all([process.stdin.close().catch(() => {}), process.stderr.cancel()]);
      await process.kill();
    });
  });

  Deno.test({ name: `what a ${kind.name} has opened ends with it`, ignore }, async () => {
    const word = `9${Date.now()}`;
    let process: OpenProcess;
    {
      await using house = await kind.open();
      process = await house.commands.open(["bash", "-c", `echo up; sleep ${word}`]);
      await hear(process, "up");
      ok((await processesWith(`sleep ${word}`)).length > 0);
    }
    await gone(await processesWith(`sleep ${word}`));
    await Promise.all([process.stdin.close().catch(() => {}), process.stderr.cancel()]);
  });

  Deno.test(
    { name: `what is killed while it starts is gone, in a ${kind.name}`, ignore },
    async () => {
      await using house = await kind.open();
      for (let waitMs = 0; waitMs < 24; waitMs += 2) {
        const seconds = `8${waitMs}${String(Date.now()).slice(-6)}`;
        const process = await house.commands.open(["sleep", seconds]);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        await process.kill();
        await gone(await processesWith(seconds));
        await Promise.all([process.stdout.cancel(), process.stderr.cancel()]);
        await process.stdin.close().catch(() => {});
      }
    },
  );

  Deno.test({ name: `collect() in a ${kind.name} is bounded and spills`, ignore }, async () => {
    await using house = await kind.open();
    const seen: string[] = [];
    const collector = house.commands.collect({
      spill: "o.txt",
      onOutput: (stream, text) => seen.push(`${stream} ${text.length}`),
    });
    const line = new TextEncoder().encode("\x1b[31m" + "x".repeat(99_995) + "\x1b[0m\n");
    for (let i = 0; i < 5; i++) collector.write("stdout", line);
    collector.write("stderr", new TextEncoder().encode("e"));
    const { stdout, stderr, spill } = collector.close();
    strictEqual(stderr.head, "e");
    strictEqual(stdout.head.length + stdout.tail.length + stdout.omitted, 5 * 99_996);
    ok(stdout.head.length + stdout.tail.length <= 64 * 1024);
    strictEqual(spill?.bytes, 5 * 99_996 + 1);
    strictEqual(spill?.path.endsWith("/o.txt"), true);
    strictEqual(seen.length, 6);
  });
}

for (const kind of BOTH_COMMANDS) {
  const name = `open() in a ${kind.name} of a program that is not there`;
  Deno.test({ name, ignore: kind.ignore }, async () => {
    await using house = await kind.open();
    const said = await openMissing(house.commands);
    match(said, /no-such-program/);
  });
}

/** What is said of it, by an error or at its end. */
async function openMissing(commands: Commands): Promise<string> {
  try {
    const process = await commands.open(["no-such-program"]);
    const said = new Response(process.stderr).text();
    ok((await process.status).code !== 0);
    await Promise.all([process.stdin.close().catch(() => {}), process.stdout.cancel()]);
    return await said;
  } catch (error) {
    ok(error instanceof CommandError);
    return error.message;
  }
}
