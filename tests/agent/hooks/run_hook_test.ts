import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type HookRun, runHook } from "../../../agent/hooks/run_hook.ts";
import { BOTH_COMMANDS, type CommandHouse } from "../../helpers/both_commands.ts";

/** A limit that no test is to meet, in milliseconds. */
const LONG_MS = 120_000;

/** Runs a script as a hook. */
async function hook(
  { commands, workspace }: CommandHouse,
  command: string,
  { timeoutMs = LONG_MS, input = {} as unknown, signal = new AbortController().signal } = {},
): Promise<HookRun> {
  const options = { cwd: workspace, env: { EXTRA: "yes" } };
  return await runHook({ command, timeoutMs }, input, commands, options, signal);
}

for (const { name, ignore, open } of BOTH_COMMANDS) {
  Deno.test({
    name: `runHook() in a ${name}`,
    ignore,
    async fn(t) {
      await using house = await open({ "a.txt": "one" });
      const ended = (stdout: string, stderr = "", exitCode = 0): HookRun => ({
        ...{ kind: "ended", exitCode, stdout, stderr },
      });
      await t.step("hands over its input, and answers what came", async () => {
        const input = { tool_name: "bash", text: "ü\n" };
        deepStrictEqual(
          await hook(house, "cat; cat a.txt >&2; printf $EXTRA; exit 2", { input }),
          ended(`${JSON.stringify(input)}yes`, "one", 2),
        );
      });
      await t.step("one that does not read what it is told", async () => {
        const input = "x".repeat(1_000_000);
        deepStrictEqual(await hook(house, "exec 0<&-; echo done", { input }), ended("done\n"));
      });
      await t.step("a flood is read to its end, and its beginning kept", async () => {
        const run = await hook(house, "head -c 3000000 /dev/zero | tr '\\0' a");
        deepStrictEqual(run, ended("a".repeat(64 * 1024)));
      });
      await t.step("its time limit ends all of it", async () => {
        const run = await hook(house, "sleep 1000 & sleep 1000", { timeoutMs: 300 });
        deepStrictEqual(run, { kind: "timed_out" });
      });
      await t.step("the signal ends it", async () => {
        const stop = new AbortController();
        const running = hook(house, "echo >started; sleep 1000", { signal: stop.signal });
        await appears(`${house.workspace}/started`);
        stop.abort();
        deepStrictEqual(await running, { kind: "aborted" });
      });
      await t.step("what it leaves running is ended, and does not hold it up", async () => {
        deepStrictEqual(await hook(house, "sleep 1000 & echo done"), ended("done\n"));
      });
      await t.step("a command that is not there", async () => {
        const run = await hook(house, "no-such-program-here");
        strictEqual(run.kind === "ended" && run.exitCode, 127);
      });
    },
  });
}

/** Resolves once a file is there. */
async function appears(path: string): Promise<void> {
  for (;;) {
    try {
      await Deno.stat(path);
      return;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
