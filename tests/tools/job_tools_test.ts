import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import type { Commands, RunningCommand } from "../../sandbox/commands/commands.ts";
import { JobRegistry, MAX_RUNNING_JOBS, noJobs } from "../../sandbox/commands/jobs.ts";
import { bashTool } from "../../tools/bash.ts";
import { jobKill } from "../../tools/job_kill.ts";
import { jobList } from "../../tools/job_list.ts";
import { jobOutput } from "../../tools/job_output.ts";
import type { Content } from "../../tools/tool.ts";
import { BOTH_COMMANDS } from "../helpers/both_commands.ts";
import { isAlive, processesWith } from "../helpers/processes.ts";

/** A limit that a command of these tests surely meets, in milliseconds. */
const SHORT_MS = 300;

/** The tools over one registry, as the model sees them. */
class Bench implements AsyncDisposable {
  readonly bash = bashTool({ timeoutMs: 60_000 });
  readonly jobs = new JobRegistry();
  /** Every command that was started, in order. */
  readonly started: RunningCommand[] = [];
  readonly #commands: Commands;
  #calls = 0;

  constructor(commands: Commands) {
    const start: Commands["start"] = async (argv, options) => {
      const running = await commands.start(argv, options);
      this.started.push(running);
      return running;
    };
    this.#commands = Object.create(commands, { start: { value: start } });
  }

  async run(command: string, more: Omit<Parameters<typeof this.bash.run>[0], "command"> = {}) {
    return textOf(this.bash.render(await this.value(command, more)));
  }

  async value(command: string, more: Omit<Parameters<typeof this.bash.run>[0], "command"> = {}) {
    return await this.bash.run({ command, ...more }, this.context(), { touches: [] });
  }

  async output(job_id: string, more: { until?: string; wait_ms?: number } = {}) {
    const value = await jobOutput.run({ job_id, ...more }, this.context(), { touches: [] });
    return textOf(jobOutput.render(value));
  }

  async kill(job_id: string) {
    return textOf(jobKill.render(await jobKill.run({ job_id }, this.context(), { touches: [] })));
  }

  async list() {
    return textOf(jobList.render(await jobList.run({}, this.context(), { touches: [] })));
  }

  context(signal = new AbortController().signal) {
    return {
      ...{ commands: this.#commands, jobs: this.jobs, signal },
      callId: `call_${++this.#calls}`,
      progress() {},
    };
  }

  async [Symbol.asyncDispose]() {
    await this.jobs[Symbol.asyncDispose]();
  }
}

function textOf([content]: Content[]): string {
  return content?.type === "text" ? content.text : "";
}

const IN_BACKGROUND = { background: true } as const;

for (const { name, ignore, open } of BOTH_COMMANDS) {
  Deno.test({ name: `jobs, ${name}`, ignore }, async (t) => {
    await using house = await open();
    const touch = (file: string) => Deno.writeTextFile(`${house.workspace}/${file}`, "");

    await t.step("a command that meets its limit goes on as the same process", async () => {
      await using bench = new Bench(house.commands);
      const script = "echo $$; until [ -e on ]; do sleep 0.02; done; echo $$ >&2; exit 4";
      const shown = await bench.run(script, { timeout_ms: SHORT_MS });
      const pid = /^\d+/.exec(shown)?.[0];
      strictEqual(
        shown,
        `${pid}\n[running in background after ${SHORT_MS}ms: job 1, see job_output]`,
      );
      const [running] = bench.started;
      ok(running && await isAlive(running.pid));
      await touch("on");
      strictEqual(
        await bench.output("1", { until: "exit" }),
        `[stderr]\n${pid}\n[job 1 has ended]\n[exit code: 4]`,
      );
      strictEqual(bench.started.length, 1);
    });

    await t.step("its shell's state is not taken over, and what it left of it goes", async () => {
      await using bench = new Bench(house.commands);
      await bench.run("A=before");
      await bench.run("A=after; cd /; sleep 1000", { timeout_ms: SHORT_MS });
      await bench.run("A=job; cd /", IN_BACKGROUND);
      await bench.output("2", { until: "exit" });
      await bench.kill("1");
      strictEqual(await bench.run('echo "$A $PWD"'), `before ${house.workspace}`);
    });

    await t.step("on_timeout kill ends it, as before there were jobs", async () => {
      await using bench = new Bench(house.commands);
      const shown = await bench.run("echo up; sleep 1000", {
        timeout_ms: SHORT_MS,
        on_timeout: "kill",
      });
      strictEqual(shown, `up\n[timed out after ${SHORT_MS}ms]\n[killed by signal: SIGTERM]`);
      strictEqual(await bench.list(), "[no jobs]");
    });

    await t.step("a job in the background answers at once and is waited for by text", async () => {
      await using bench = new Bench(house.commands);
      const script = "echo -n rea; until [ -e dy ]; do sleep 0.02; done; echo dy now; sleep 1000";
      strictEqual(
        await bench.run(script, IN_BACKGROUND),
        "[running in background: job 1, see job_output]",
      );
      strictEqual(await bench.output("1", { until: "rea" }), "rea\n[job 1 is running]");
      const waiting = bench.output("1", { until: "ready" });
      await touch("dy");
      // The text began in what was shown already.
      strictEqual(await waiting, "dy now\n[job 1 is running]");
      strictEqual(await bench.output("1"), "[no new output]\n[job 1 is running]");
    });

    await t.step("a wait has a bound, and ends with the job or the turn", async () => {
      await using bench = new Bench(house.commands);
      await bench.run("echo up; sleep 1000", IN_BACKGROUND);
      await bench.output("1", { until: "up" });
      strictEqual(
        await bench.output("1", { until: "never", wait_ms: 20 }),
        "[no new output]\n[waited 20ms: not seen in its new output: never]\n[job 1 is running]",
      );
      const stop = new AbortController();
      const args = { job_id: "1", until: "exit", wait_ms: 600_000 };
      const waiting = jobOutput.run(args, bench.context(stop.signal), { touches: [] });
      stop.abort();
      const value = await waiting;
      ok(value.found && value.running && value.wait?.met === false);
      const gone = bench.output("1", { until: "never", wait_ms: 600_000 });
      await bench.kill("1");
      match(await gone, /^\[no new output\]\n\[not seen in its new output: never\]\n\[job 1 has/);
    });

    await t.step("idle is a second without output; anything new ends a plain wait", async () => {
      await using bench = new Bench(house.commands);
      await bench.run("for i in 1 2 3; do echo $i; sleep 0.3; done; sleep 1000", IN_BACKGROUND);
      strictEqual(await bench.output("1", { until: "idle" }), "1\n2\n3\n[job 1 is running]");
      await bench.run("until [ -e new ]; do sleep 0.02; done; echo new; sleep 1000", IN_BACKGROUND);
      const waiting = bench.output("2", { wait_ms: 600_000 });
      await touch("new");
      strictEqual(await waiting, "new\n[job 2 is running]");
    });

    await t.step("a text that a job writes last is seen", async () => {
      await using bench = new Bench(house.commands);
      await bench.run("echo last words", IN_BACKGROUND);
      await bench.output("1", { until: "words" });
      await bench.run("echo last words; exit 2", IN_BACKGROUND);
      await ended(bench, "2");
      strictEqual(
        await bench.output("2", { until: "words" }),
        "last words\n[job 2 has ended]\n[exit code: 2]",
      );
    });

    await t.step("a job that ignores SIGTERM is killed, a second kill says so", async () => {
      await using bench = new Bench(house.commands);
      const script = "trap '' TERM; echo up; while :; do sleep 0.1; done";
      await bench.run(script, IN_BACKGROUND);
      await bench.output("1", { until: "up" });
      strictEqual(
        await bench.kill("1"),
        "[no new output]\n[job 1 has ended]\n[killed by signal: SIGKILL]",
      );
      strictEqual(
        await bench.kill("1"),
        "[no new output]\n[job 1 had ended before]\n[killed by signal: SIGKILL]",
      );
    });

    await t.step("jobs that are not there", async () => {
      await using bench = new Bench(house.commands);
      for (const id of ["1", "", "x", "-1", "%1", "__proto__"]) {
        strictEqual(await bench.output(id), `[no job ${id}: job_list shows them]`);
        strictEqual(await bench.kill(id), `[no job ${id}: job_list shows them]`);
      }
    });

    await t.step("a list tells state, age, what is new, and the command", async () => {
      await using bench = new Bench(house.commands);
      await bench.run("exit 3", IN_BACKGROUND);
      await bench.run("kill -9 $$", IN_BACKGROUND);
      await bench.run("echo hello\n\n  sleep 1000", IN_BACKGROUND);
      await ended(bench, "1");
      await ended(bench, "2");
      await bench.jobs.find("3")?.wait({
        until: "output",
        ms: 600_000,
        signal: new AbortController().signal,
      });
      deepStrictEqual((await bench.list()).replaceAll(/\d+ s/g, "N s").split("\n"), [
        "1: exit code 3, N s: exit 3",
        "2: killed by SIGKILL, N s: kill -9 $$",
        "3: running, N s, 6 bytes new: echo hello; sleep 1000",
      ]);
    });

    await t.step("much output: head and tail, and where all of it lies", async () => {
      await using bench = new Bench(house.commands);
      await bench.run("seq 1 40000; echo end; sleep 1000", IN_BACKGROUND);
      await bench.output("1", { until: "end\n" });
      await bench.run("seq 1 60000; echo end; sleep 1000", IN_BACKGROUND);
      await bench.jobs.find("2")?.wait({
        until: { text: "end\n" },
        ms: 600_000,
        signal: new AbortController().signal,
      });
      const shown = await bench.output("2");
      strictEqual(shown.slice(0, 6), "1\n2\n3\n");
      const cut = /\n60000\nend\n\[output truncated: \d+ KB of 341 KB shown, all in \S+\]\n\[job 2/;
      match(shown.slice(-200), cut);
    });

    await t.step("50 jobs: no more than some at a time, and none is left", async () => {
      await using bench = new Bench(house.commands);
      const seconds = `60.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
      for (let count = 0; count < MAX_RUNNING_JOBS; count++) {
        await bench.run(`echo up; sleep ${seconds}`, IN_BACKGROUND);
      }
      await rejects(bench.run("true", IN_BACKGROUND), {
        message: `Cannot start a job: ${MAX_RUNNING_JOBS} jobs are running, end one with job_kill`,
      });
      const atLimit = await bench.value("sleep 1000", { timeout_ms: SHORT_MS });
      deepStrictEqual([atLimit.timed_out, atLimit.job_id], [true, undefined]);
      for (let id = 1; id <= 18; id++) {
        await bench.output(String(id), { until: "up" });
        await bench.kill(String(id));
        match(await bench.run(`sleep ${seconds}`, IN_BACKGROUND), /job/);
      }
      strictEqual(bench.jobs.list().length, 50);
      await bench[Symbol.asyncDispose]();
      deepStrictEqual(await processesWith(seconds), []);
      await rejects(bench.run("true", IN_BACKGROUND), /the session has ended/);
    });
  });
}

async function ended({ jobs }: Bench, id: string): Promise<void> {
  await jobs.find(id)?.wait({
    until: "exit",
    ms: 600_000,
    signal: new AbortController().signal,
  });
}

Deno.test("a room that fills up while a command runs ends it at its limit, and says why", async () => {
  const [, group] = BOTH_COMMANDS;
  ok(group);
  await using house = await group.open();
  await using bench = new Bench(house.commands);
  let asked = 0;
  const jobs = Object.create(bench.jobs, {
    refusal: { get: () => asked++ === 0 ? undefined : "no room" },
  });
  const value = await bench.bash.run(
    { command: "echo up; sleep 1000", timeout_ms: SHORT_MS },
    { ...bench.context(), jobs },
    { touches: [] },
  );
  strictEqual(
    textOf(bench.bash.render(value)),
    `up\n[not kept as a job: no room]\n[timed out after ${SHORT_MS}ms]\n[killed by signal: SIGTERM]`,
  );
});

Deno.test("where no job can be, a command ends at its limit and background is refused", async () => {
  const [, group] = BOTH_COMMANDS;
  ok(group);
  await using house = await group.open();
  await using bench = new Bench(house.commands);
  const context = { ...bench.context(), jobs: noJobs("job_output is off") };
  const args = { command: "sleep 1000", timeout_ms: SHORT_MS };
  strictEqual((await bench.bash.run(args, context, { touches: [] })).timed_out, true);
  await rejects(bench.bash.run({ command: "true", ...IN_BACKGROUND }, context, { touches: [] }), {
    message: "Cannot start a job: job_output is off",
  });
});

Deno.test("ends are handed out once, and ids go on where a session stopped", async () => {
  const [, group] = BOTH_COMMANDS;
  ok(group);
  await using house = await group.open();
  const changes: string[] = [];
  await using jobs = new JobRegistry({
    firstId: 7,
    onChange: ({ id, end }) => changes.push(`${id} ${end?.how ?? "running"}`),
  });
  const start = () => house.commands.start(["bash", "-c", "read -t 1000 <><(:)"], {});
  const [first, second] = [jobs.add("a", await start()), jobs.add("b", await start())];
  deepStrictEqual(jobs.takeEnded(), []);
  await first.stop();
  deepStrictEqual(jobs.takeEnded(), [first]);
  strictEqual(first.end?.told, false);
  first.look();
  strictEqual(first.end?.told, true);
  await jobs[Symbol.asyncDispose]();
  deepStrictEqual(jobs.takeEnded(), [second]);
  deepStrictEqual(changes, ["7 running", "8 running", "7 stopped", "8 session_end"]);
});

Deno.test("an id may be given as a number, and must be given", () => {
  for (const { parameters } of [jobOutput, jobKill]) {
    deepStrictEqual(parameters.parse({ job_id: 12 }), { ok: true, value: { job_id: "12" } });
    deepStrictEqual(parameters.parse({ job_id: "12" }), { ok: true, value: { job_id: "12" } });
    for (const args of [{}, { job_id: null }, { job_id: ["1"] }, { job_id: "1", pid: 1 }]) {
      strictEqual(parameters.parse(args).ok, false);
    }
  }
});

Deno.test("job tools only look, job_kill does not", async () => {
  deepStrictEqual((await jobList.plan({}, {})).touches, []);
  deepStrictEqual((await jobOutput.plan({ job_id: "1" }, {})).touches, []);
  deepStrictEqual((await jobKill.plan({ job_id: "1" }, {})).touches, [{ kind: "job", id: "1" }]);
});
