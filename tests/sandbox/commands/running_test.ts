import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import type {
  Captured,
  Commands,
  Look,
  RunningCommand,
} from "../../../sandbox/commands/commands.ts";
import { Output } from "../../../sandbox/commands/output.ts";
import { SpillBudget } from "../../../sandbox/commands/spill.ts";
import { BOTH_COMMANDS } from "../../helpers/both_commands.ts";
import { gone, isAlive, processesWith } from "../../helpers/processes.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** A part of a second that nobody else waits for, as its command line shows it. */
function marker(): string {
  return `0.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}

async function start(commands: Commands, script: string): Promise<RunningCommand> {
  return await commands.start(["bash", "-c", script], { spill: "job.txt" });
}

/** Resolves when the command has written the text since this was called. */
async function saw(running: RunningCommand, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => Object.values(texts(running.peek())).some((all) => all.includes(text));
  using _listening = running.listen(() => check() && resolve());
  if (check()) resolve();
  await promise;
}

function texts({ stdout, stderr }: Look) {
  return { stdout: stdout.head + stdout.tail, stderr: stderr.head + stderr.tail };
}

for (const { name, ignore, open } of BOTH_COMMANDS) {
  Deno.test({ name: `a running command, ${name}`, ignore }, async (t) => {
    await using house = await open();
    const { commands } = house;

    await t.step("is looked at while it runs, and shows each thing once", async () => {
      const running = await start(
        commands,
        "echo one; echo two >&2; until [ -e go ]; do :; done; echo three",
      );
      await saw(running, "two");
      await saw(running, "one");
      deepStrictEqual(texts(running.peek()), { stdout: "one\n", stderr: "two\n" });
      deepStrictEqual(texts(running.look()), { stdout: "one\n", stderr: "two\n" });
      deepStrictEqual(texts(running.look()), { stdout: "", stderr: "" });
      await Deno.writeTextFile(`${house.workspace}/go`, "");
      const { exitCode, aborted, ...rest } = await running.ended;
      deepStrictEqual([texts(rest), exitCode, aborted], [
        { stdout: "three\n", stderr: "" },
        0,
        false,
      ]);
      deepStrictEqual(texts(running.look()), { stdout: "", stderr: "" });
    });

    await t.step("has no limit, and is the same process from its start to its end", async () => {
      const running = await start(commands, "echo $$; until [ -e more ]; do :; done; echo $$");
      await saw(running, "\n");
      ok(await isAlive(running.pid));
      const first = texts(running.look()).stdout;
      await Deno.writeTextFile(`${house.workspace}/more`, "");
      strictEqual(texts(await running.ended).stdout, first);
    });

    await t.step("ends properly where it is stopped", async () => {
      const script = "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done";
      const running = await start(commands, script);
      await saw(running, "up");
      await running.stop(60_000);
      const result = await running.ended;
      deepStrictEqual([texts(result).stdout, result.exitCode, result.signal, result.aborted], [
        "up\nbye\n",
        7,
        null,
        true,
      ]);
    });

    await t.step("is ended by SIGTERM, told as such", async () => {
      const running = await start(commands, "echo up; sleep 1000");
      await saw(running, "up");
      await running.stop(60_000);
      const { signal, exitCode, timedOut } = await running.ended;
      deepStrictEqual([signal, exitCode, timedOut], ["SIGTERM", null, false]);
    });

    await t.step("is killed where it ignores SIGTERM, with all that it started", async () => {
      const seconds = marker();
      const script = `trap '' TERM; echo up; while :; do sleep ${seconds}; done`;
      const running = await start(commands, `(${script}) & ${script}`);
      await saw(running, "up");
      await running.stop(100);
      strictEqual((await running.ended).signal, "SIGKILL");
      deepStrictEqual(await processesWith(seconds), []);
    });

    await t.step(
      "that has ended is not stopped any more",
      async () => {
        const running = await start(commands, "exit 3");
        const { exitCode, aborted } = await running.ended;
        await running.stop(0);
        deepStrictEqual([exitCode, aborted], [3, false]);
      },
    );

    await t.step("stays bounded in memory and on disk where it writes without end", async () => {
      const running = await start(commands, "yes");
      const enough = Promise.withResolvers<void>();
      let seen = 0;
      using _listening = running.listen((_, text) => {
        seen += text.length;
        if (seen > 80 * 1024 ** 2) enough.resolve();
      });
      await enough.promise;
      const { stdout, spill } = running.look();
      ok(stdout.head.length + stdout.tail.length <= 64 * 1024);
      ok(stdout.omitted > 0);
      await running.stop(0);
      strictEqual(spill?.bytes, 64 * 1024 ** 2);
      ok(spill.of > spill.bytes);
      strictEqual((await running.ended).spill?.bytes, spill.bytes);
    });

    await t.step("that cannot be started is an error at once", async () => {
      const failed = await commands.start(["no-such-program-here"], {}).then(() => "", String);
      ok(failed.startsWith('CommandError: Cannot start "no-such-program-here": '), failed);
    });

    await t.step({
      name: "takes what left its group with it where there is a view",
      ignore: name !== "view",
      async fn() {
        const seconds = `60${marker().slice(1)}`;
        const away = `setsid bash -c 'setsid sleep ${seconds} & disown; echo up' &`;
        const running = await start(commands, `${away} sleep 1000`);
        await saw(running, "up");
        const left = await processesWith(seconds);
        ok(left.length > 0);
        await running.stop(60_000);
        await gone(left);
      },
    });
  });
}

Deno.test("Output shows every byte once or counts it, for any chunks and any looks", () => {
  const chunk = fc.record({
    stream: fc.constantFrom("stdout" as const, "stderr" as const),
    text: fc.string({ unit: "grapheme", maxLength: 40 }).map((text) =>
      text.replaceAll(/\p{C}/gu, "")
    ),
    times: fc.constantFrom(1, 1, 1, 3000),
  });
  const steps = fc.array(fc.oneof(chunk, fc.constant("look" as const)), { maxLength: 40 });
  fc.assert(fc.property(steps, fc.integer({ min: 1, max: 5000 }), (all, cut) => {
    const output = new Output();
    const looks: Look[] = [];
    const written = { stdout: "", stderr: "" };
    for (const step of all) {
      if (step === "look") {
        looks.push(output.look());
        continue;
      }
      const text = step.text.repeat(step.times);
      written[step.stream] += text;
      const bytes = new TextEncoder().encode(text);
      // Cut anywhere, also inside of a character.
      for (let at = 0; at < bytes.length; at += cut) {
        output.write(step.stream, bytes.subarray(at, at + cut));
      }
    }
    looks.push(output.close());
    deepStrictEqual(output.close().stdout, { head: "", tail: "", bytes: 0, omitted: 0 });
    for (const stream of ["stdout", "stderr"] as const) {
      assertCovers(looks.map((look) => look[stream]), written[stream]);
    }
  }));
});

/** The parts stand in the text one after another, with the gaps that they tell. */
function assertCovers(parts: readonly Captured[], text: string): void {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const take = (part: string) => {
    const wanted = new TextEncoder().encode(part);
    deepStrictEqual(bytes.subarray(at, at + wanted.length), wanted);
    at += wanted.length;
  };
  for (const { head, tail, omitted } of parts) {
    take(head);
    at += omitted;
    take(tail);
  }
  strictEqual(at, bytes.length);
  strictEqual(parts.reduce((sum, part) => sum + part.bytes, 0), bytes.length);
}

Deno.test("spill files share a budget: what is past it is counted and dropped", async () => {
  await using dir = await tempDir();
  const budget = new SpillBudget(150_000);
  const spilled = () => {
    const output = new Output({ spill: { folder: dir.path, name: "o.txt", budget } });
    output.write("stdout", new TextEncoder().encode("x".repeat(100_000)));
    return output.close().spill;
  };
  deepStrictEqual([spilled(), spilled(), spilled()], [
    { path: dir.join("o.txt"), bytes: 100_000, of: 100_000 },
    { path: dir.join("o-2.txt"), bytes: 50_000, of: 100_000 },
    { path: dir.join("o-3.txt"), bytes: 0, of: 100_000 },
  ]);
  strictEqual((await Deno.stat(dir.join("o-2.txt"))).size, 50_000);
});
