import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, HEADLESS, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { endProcess, gone, isAlive } from "../helpers/processes.ts";

/** Prints the ids of three generations, and waits. */
const FAMILY = `
echo "child $$"
(echo "grandchild $BASHPID"; (echo "grandgrandchild $BASHPID"; exec sleep 600) & wait) &
wait
`;

/** Says that it was asked to end, and does not. */
const STUBBORN = `
trap 'echo "asked to end"' TERM
echo "child $$"
while :; do sleep 600 & wait; done
`;

const ARGS = [...HEADLESS, "--deltas", "--approval=all"];

Deno.test("a signal ends the turn, the command and all its descendants", async (t) => {
  const cases: [signal: Deno.Signal, code: number][] = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ];
  for (const [signal, code] of cases) {
    await t.step(signal, async () => {
      await using world = await newWorld({ "family.sh": FAMILY });
      const running = await startCommand(world, "bash family.sh");
      await running.saw("grandgrandchild ");
      running.kill(signal);
      const run = await running.ended;
      deepStrictEqual([run.code, run.signal], [code, null], run.stderr);
      const pids = pidsIn(run.stdout);
      strictEqual(pids.length, 3);
      for (const pid of pids) ok(!await isAlive(pid), `${pid} lives`);
      match(eventsOf(run, "tool_result")[0]?.text, /^\[interrupted\]$/m);
      strictEqual(run.events.at(-1)?.reason, "interrupted");
      deepStrictEqual(await endOfLog(world, String(run.events[0]?.session_id)), "interrupted");
    });
  }
});

Deno.test("--timeout ends the command and all its descendants", async () => {
  await using world = await newWorld({ "family.sh": FAMILY });
  const running = await startCommand(world, "bash family.sh", "--timeout=2");
  const run = await running.ended;
  deepStrictEqual([run.code, run.events.at(-1)?.reason], [3, "time_limit"]);
  const pids = pidsIn(run.stdout);
  strictEqual(pids.length, 3);
  for (const pid of pids) ok(!await isAlive(pid), `${pid} lives`);
});

Deno.test("a second SIGINT quits at once, and what was asked to end is ended", async () => {
  await using world = await newWorld({ "stubborn.sh": STUBBORN });
  const running = await startCommand(world, "bash stubborn.sh");
  await running.saw("child ");
  running.kill("SIGINT");
  await running.saw("asked to end");
  running.kill("SIGINT");
  const run = await running.ended;
  deepStrictEqual([run.code, run.signal], [130, null]);
  // It did not wait for the command's end.
  deepStrictEqual(eventsOf(run, "tool_result"), []);
  deepStrictEqual([run.events.at(-1)?.type, run.events.at(-1)?.exit_code], ["result", 130]);
  await gone(pidsIn(run.stdout));
});

Deno.test("SIGINT while the model is silent leaves the request", async () => {
  await using world = await newWorld();
  await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }]);
  const running = await world.start([...ARGS, "-m", "m", `--base-url=${server.url}`, "hi"]);
  await server.request(1);
  running.kill("SIGINT");
  strictEqual((await running.ended).code, 130);
  await server.left(1);
});

Deno.test("SIGKILL of the agent leaves the command's group alive where there is no view (tier 3)", async () => {
  await using world = await newWorld({ "family.sh": FAMILY });
  const running = await startCommand(world, "bash family.sh", "--profile=off");
  await running.saw("grandgrandchild ");
  running.kill("SIGKILL");
  const run = await running.ended;
  strictEqual(run.signal, "SIGKILL");
  const pids = pidsIn(run.stdout);
  strictEqual(pids.length, 3);
  for (const pid of pids) {
    ok(await isAlive(pid), `${pid} has ended`);
    await endProcess(pid);
  }
});

async function startCommand(world: World, command: string, ...args: string[]) {
  const model = await world.script(calling("bash", { command }), { text: "ok" });
  return await world.start([...ARGS, "-m", model, ...args, "do it"]);
}

/** The ids that a command printed, as its progress shows them. */
function pidsIn(stdout: string): number[] {
  const said = [...stdout.matchAll(/child (\d+)/g)].map(([, pid]) => Number(pid));
  return [...new Set(said)];
}

async function endOfLog(world: World, id: string): Promise<unknown> {
  const path = world.join("home/.local/state/cordon/sessions", `${id}.jsonl`);
  const last = (await Deno.readTextFile(path)).trimEnd().split("\n").at(-1) ?? "";
  const { type, reason } = JSON.parse(last);
  return type === "end" ? reason : type;
}
