import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, HEADLESS, newWorld, type Turn, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { endProcess, gone, processesWith } from "../helpers/processes.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** With a kernel view, where this machine has one, and without. */
const PROFILES = ["--profile=workspace", "--profile=off"] as const;
const ARGS = [...HEADLESS, "--approval=all"];

/** Command lines are looked up in /proc. */
const ignore = Deno.build.os !== "linux";

/** Says that it was asked to end, and does not. */
const STUBBORN = `
trap 'echo "asked to end"' TERM
echo "stubborn is up"
while :; do sleep 600 & wait; done
`;

/** A time to sleep that nobody else waits for. */
function unique(): string {
  return `600.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}

function inBackground(command: string): Turn {
  return calling("bash", { command, background: true });
}

Deno.test("headless, what still runs is ended with the run, and named", { ignore }, async (t) => {
  for (const profile of PROFILES) {
    await t.step(profile, async () => {
      await using world = await newWorld();
      const seconds = unique();
      const run = await world.play(
        [inBackground(`sleep ${seconds}; echo`), inBackground("true"), { text: "ok" }],
        ["--approval=all", profile],
      );
      deepStrictEqual([run.code, run.events.at(-1)?.reason], [0, "done"], run.stderr);
      deepStrictEqual(await processesWith(seconds), []);
      match(run.stderr, new RegExp(`^job 1 still ran and was ended: sleep ${seconds}; echo$`, "m"));
      deepStrictEqual(eventsOf(run, "job").filter(({ job_id }) => job_id === "1"), [
        { type: "job", job_id: "1", state: "running", command: `sleep ${seconds}; echo` },
        { type: "job", job_id: "1", state: "stopped", command: `sleep ${seconds}; echo` },
      ]);
      // The result is the last word also here.
      strictEqual(run.events.at(-1)?.type, "result");
    });
  }
});

Deno.test("text and json name what was ended on stderr alone", { ignore }, async (t) => {
  for (const format of ["text", "json"]) {
    await t.step(format, async () => {
      await using world = await newWorld();
      const model = await world.script(inBackground("sleep 1000"), { text: "The answer" });
      const args = ["-p", "-m", model, "--approval=all", `--output-format=${format}`, "do it"];
      const { stdout, stderr } = await world.run(args);
      match(stderr, /^job 1 still ran and was ended: sleep 1000$/m);
      doesNotMatch(stdout, /job 1/);
      match(stdout, /The answer/);
    });
  }
});

Deno.test("a resumed session tells of the jobs that ended with the one before", async () => {
  await using world = await newWorld();
  await world.play([inBackground("sleep 1000"), { text: "ok" }], ["--approval=all"]);
  await using server = await modelServer([
    { toolCalls: [{ name: "bash", arguments: { command: "true", background: true } }] },
    { toolCalls: [{ name: "job_output", arguments: { job_id: "1" } }] },
    { text: "ok" },
  ]);
  const again = await world.run([...ARGS, "-c", "-m=m", `--base-url=${server.url}`, "go on"]);
  const told = JSON.stringify(server.requests[0]?.body.messages.at(-1).content);
  match(told, /\[job 1 \(sleep 1000\) was ended when the session was left\].*go on/);
  match(eventsOf(again, "tool_result")[0]?.text, /job 2, see job_output/);
  strictEqual(eventsOf(again, "tool_result")[1]?.text, "[no job 1: job_list shows them]");
});

Deno.test("SIGKILL of the agent ends jobs with their views; resumed, they are told as lost", {
  ignore,
}, async (t) => {
  for (const profile of PROFILES) {
    await t.step(profile, async () => {
      await using world = await newWorld();
      const seconds = unique();
      const job = `(setsid sleep ${seconds} &); echo up; sleep ${seconds}`;
      const model = await world.script(
        inBackground(job),
        calling("job_output", { job_id: "1", until: "up" }),
        calling("bash", { command: `echo in the foreground; sleep ${seconds}` }),
      );
      const running = await world.start([...ARGS, "--deltas", "-m", model, profile, "do it"]);
      await running.saw("in the foreground\\n");
      running.kill("SIGKILL");
      const run = await running.ended;
      const alive = await processesWith(seconds);
      if (run.events[0]?.tier === "3") { for (const pid of alive) await endProcess(pid); }
      else await gone(alive);
      await using server = await modelServer([{ text: "ok" }]);
      await world.run([...ARGS, "-c", "-m=m", `--base-url=${server.url}`, "go on"]);
      const { messages } = server.requests[0]?.body ?? {};
      match(JSON.stringify(messages.at(-1)), /\[job 1 is lost: the program ended while it ran\]/);
    });
  }
});

Deno.test("signals end jobs, too", { ignore }, async (t) => {
  for (const profile of PROFILES) {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      await t.step(`${signal} ${profile}`, async () => {
        await using world = await newWorld();
        const seconds = unique();
        const running = await startBoth(world, `sleep ${seconds}`, "echo up; sleep 1000", profile);
        await running.saw("up\\n");
        running.kill(signal);
        const run = await running.ended;
        deepStrictEqual(await processesWith(seconds), []);
        strictEqual(eventsOf(run, "job").at(-1)?.state, "stopped");
        strictEqual(run.events.at(-1)?.reason, "interrupted");
      });
    }
  }
});

Deno.test(
  "a second SIGINT quits at once, and jobs are ended all the same",
  { ignore },
  async () => {
    await using world = await newWorld({ "stubborn.sh": STUBBORN });
    const seconds = unique();
    const running = await startBoth(
      world,
      `sleep ${seconds}`,
      "bash stubborn.sh",
      "--profile=off",
    );
    await running.saw("stubborn is up");
    const jobs = await processesWith(seconds);
    ok(jobs.length > 0);
    running.kill("SIGINT");
    await running.saw("asked to end");
    running.kill("SIGINT");
    strictEqual((await running.ended).code, 130);
    await gone(jobs);
  },
);

/** A job, and then a command in the foreground. */
async function startBoth(world: World, job: string, command: string, profile: string) {
  const model = await world.script(inBackground(job), calling("bash", { command }), { text: "ok" });
  return await world.start([...ARGS, "--deltas", "-m", model, profile, "do it"]);
}

Deno.test("Ctrl-C stops the turn and its command, jobs go on; leaving ends them", {
  ignore: ignore || !await hasTerminal(),
}, async () => {
  await using world = await newWorld();
  const [seconds, foreground] = [unique(), unique()];
  const model = await world.script(
    inBackground(`sleep ${seconds}`),
    calling("bash", { command: `sleep ${foreground}` }),
    calling("job_list", {}),
    { text: "Went on" },
  );
  const running = await world.start(["-m", model, "--approval=all", "do it"], { terminal: true });
  while ((await processesWith(`sleep ${foreground}`)).length === 0);
  await running.write("\x03");
  await running.saw("\x1b[0J> ");
  ok((await processesWith(seconds)).length > 0);
  await running.write("go on\r");
  await running.saw("1: running");
  await running.saw("Went on");
  await running.saw("\x1b[0J> ");
  await running.write("\x04");
  const { stdout } = await running.ended;
  match(stdout, /job 1 still ran and was ended/);
  deepStrictEqual(await processesWith(seconds), []);
});

Deno.test("without job_output a command is ended at its limit, and background is refused", async () => {
  await using world = await newWorld();
  const run = await world.play(
    [
      calling("bash", { command: "sleep 1000", timeout_ms: 200 }),
      inBackground("true"),
      { text: "ok" },
    ],
    ["--approval=all", "--tools=-job_output"],
  );
  const [limited, refused] = eventsOf(run, "tool_result");
  match(limited?.text, /^\[timed out after 200ms\]\n\[killed by signal: SIGTERM\]$/);
  deepStrictEqual([refused?.is_error, refused?.text], [
    true,
    "Error: Cannot start a job: the tool job_output is switched off",
  ]);
});
