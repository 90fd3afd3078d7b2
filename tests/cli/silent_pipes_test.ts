import { deepStrictEqual } from "node:assert/strict";
import { HEADLESS, newWorld, type World } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { modelServer } from "../helpers/model_server.ts";

/** A named pipe can be opened at both ends at once on Linux alone. */
const ignore = Deno.build.os !== "linux" || !await hasProgram("mkfifo");

/** More than a pipe holds. */
const LONG = "x".repeat(200_000);

Deno.test(
  "a signal ends a run that waits for a pipe which brings nothing",
  { ignore },
  async (t) => {
    const cases: [name: string, args: readonly string[]][] = [
      ["--output-schema", ["-m", "scripted:answer.json", "--output-schema=pipe"]],
      ["the script of a model", ["-m", "scripted:pipe"]],
    ];
    for (const [name, args] of cases) {
      await t.step(name, async () => {
        await using world = await worldWithPipe();
        const running = await world.start([...HEADLESS, ...args, "hi"]);
        // Comes back when the other end is opened, too.
        using _silent = await Deno.open(world.join("work/pipe"), { write: true });
        running.kill("SIGTERM");
        const { code, signal, events } = await running.ended;
        deepStrictEqual([code, signal, events.at(-1)?.exit_code], [143, null, 143]);
      });
    }
  },
);

Deno.test(
  "a signal ends a run whose file of -o is a pipe that nobody reads",
  { ignore },
  async () => {
    await using world = await worldWithPipe();
    using reader = await Deno.open(world.join("work/pipe"), { read: true, write: true });
    const running = await world.start([
      ...HEADLESS,
      "-m",
      "scripted:answer.json",
      "-o",
      "pipe",
      "hi",
    ]);
    await reader.read(new Uint8Array(1));
    running.kill("SIGTERM");
    const { code, signal, events } = await running.ended;
    deepStrictEqual([code, signal, events.at(-1)?.exit_code], [143, null, 143]);
  },
);

Deno.test("a run that was stopped waits no longer for such a pipe", { ignore }, async () => {
  await using world = await worldWithPipe();
  await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }]);
  const args = ["-m", "m", `--base-url=${server.url}`, "-o", "pipe", "hi"];
  const running = await world.start([...HEADLESS, ...args]);
  await server.request(1);
  running.kill("SIGTERM");
  const { code, signal, events } = await running.ended;
  deepStrictEqual([code, signal, events.at(-1)?.exit_code], [143, null, 143]);
});

async function worldWithPipe(): Promise<World> {
  const world = await newWorld({ "answer.json": JSON.stringify({ turns: [{ text: LONG }] }) });
  const made = new Deno.Command("mkfifo", { args: [world.join("work/pipe")], detached: true });
  await made.spawn().status;
  return world;
}
