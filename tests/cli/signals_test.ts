import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, HEADLESS, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { endProcess, gone, processesWith } from "../helpers/processes.ts";

/** Three generations that wait; all of them have the first argument in their command line. */
const FAMILY = `
(echo "grandchild"; (echo "grandgrandchild"; exec sleep 600 "$1") & wait) &
wait
`;

/** Says that it was asked to end, and does not. */
const STUBBORN = `
trap 'echo "asked to end"' TERM
echo "child $$"
while :; do sleep 600 & wait; done
`;

const ARGS = [...HEADLESS, "--deltas", "--approval=all"];

/** With a kernel view, where this machine has one, and without. */
const PROFILES = ["--profile=workspace", "--profile=off"] as const;

/** Command lines are looked up in /proc. */
const ignore = Deno.build.os !== "linux";

Deno.test("a signal ends the turn, the command and all its descendants", { ignore }, async (t) => {
  const cases: [signal: Deno.Signal, code: number][] = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ];
  for (const profile of PROFILES) {
    for (const [signal, code] of cases) {
      await t.step(`${signal} ${profile}`, async () => {
        await using world = await newWorld({ "family.sh": FAMILY });
        const family = await startFamily(world, profile);
        family.running.kill(signal);
        const run = await family.running.ended;
        deepStrictEqual([run.code, run.signal], [code, null], run.stderr);
        deepStrictEqual(await processesWith(family.marker), []);
        match(eventsOf(run, "tool_result")[0]?.text, /^\[interrupted\]$/m);
        strictEqual(run.events.at(-1)?.reason, "interrupted");
        strictEqual(await endOfLog(world, String(run.events[0]?.session_id)), "interrupted");
      });
    }
  }
});

Deno.test("--timeout ends the command and all its descendants", { ignore }, async () => {
  await using world = await newWorld({ "family.sh": FAMILY });
  const { running, marker } = await startFamily(world, "--timeout=3");
  const run = await running.ended;
  deepStrictEqual([run.code, run.events.at(-1)?.reason], [3, "time_limit"]);
  deepStrictEqual(await processesWith(marker), []);
});

Deno.test("a second SIGINT quits at once, and what was asked to end is ended", async () => {
  await using world = await newWorld({ "stubborn.sh": STUBBORN });
  const running = await startCommand(world, "bash stubborn.sh", "--profile=off");
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

Deno.test("SIGKILL of the agent ends the command with its view, and without one leaves it", {
  ignore,
}, async (t) => {
  for (const profile of PROFILES) {
    await t.step(profile, async () => {
      await using world = await newWorld({ "family.sh": FAMILY });
      const { running, marker } = await startFamily(world, profile);
      running.kill("SIGKILL");
      const run = await running.ended;
      strictEqual(run.signal, "SIGKILL");
      const alive = await processesWith(marker);
      if (run.events[0]?.tier === "3" || profile === "--profile=off") {
        // Tier 3: nothing outlives SIGKILL that could end them.
        ok(alive.length >= 3, `${alive.length} are alive`);
        for (const pid of alive) await endProcess(pid);
      } else await gone(alive);
    });
  }
});

/** Starts the family, and resolves when it is whole. */
async function startFamily(world: World, ...args: string[]) {
  // A part of a second that nobody else waits for.
  const marker = `0.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const running = await startCommand(world, `bash family.sh ${marker}`, ...args);
  await running.saw("grandgrandchild");
  return { running, marker };
}

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
