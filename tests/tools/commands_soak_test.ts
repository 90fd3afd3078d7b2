import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { JobRegistry } from "../../sandbox/commands/jobs.ts";
import { bashTool } from "../../tools/bash.ts";
import type { CommandValue } from "../../tools/command_value.ts";
import { jobKill } from "../../tools/job_kill.ts";
import { jobOutput } from "../../tools/job_output.ts";
import type { JobValue } from "../../tools/job_value.ts";
import { BOTH_COMMANDS, type CommandHouse } from "../helpers/both_commands.ts";
import { gone, processesWith } from "../helpers/processes.ts";
import { usedBytes } from "../helpers/used_bytes.ts";

const COMMANDS = 500;
const JOBS = 50;

/** Before memory is compared: imports, caches and compiled code are there. */
const WARM_COMMANDS = 100;

/**
 * Growth that is none: a tenth of what the program itself has in use, 13 MB. The process of a test
 * holds some 80 MB more, of which a tenth would hide a leak.
 */
const MAX_GROWTH_BYTES = 1_300_000;

/** A limit that no call is to meet, in milliseconds. */
const LONG_MS = 60_000;

/** How a command or a job is to end: as the tools tell it, but for what it wrote. */
type Ending = Pick<CommandValue, "exit_code" | "signal" | "stdout" | "bytes">;

interface Kind {
  readonly script: string;
  readonly ends: Partial<Ending>;
  /** It leaves processes behind, which are ended for it. */
  readonly leaves?: boolean;
}

/** Commands of every kind, each again and again; `sleep` is a program's run that none may outlive. */
function kindsOfCommand(sleep: string): readonly Kind[] {
  const marker = "[exit code: 0]\\n[job 1 has ended]";
  const bytes = { stdout: 0, stderr: 202_499 };
  return [
    { script: "n=$((n + 1)); cat", ends: {} },
    { script: "exit 3", ends: { exit_code: 3 } },
    {
      script: "set -e; echo before; false; echo after",
      ends: { exit_code: 1, stdout: "before\n" },
    },
    { script: "set +e; false; echo on", ends: { stdout: "on\n" } },
    { script: "exec true", ends: {} },
    { script: "exec false", ends: { exit_code: 1 } },
    { script: "trap 'echo bye' EXIT; exit 5", ends: { exit_code: 5, stdout: "bye\n" } },
    {
      script: `printf '${marker}\\n'; exit 4`,
      ends: { exit_code: 4, stdout: "[exit code: 0]\n[job 1 has ended]\n" },
    },
    { script: `${sleep} & echo up`, ends: { stdout: "up\n" }, leaves: true },
    { script: `(${sleep} & ) & wait; echo up`, ends: { stdout: "up\n" }, leaves: true },
    { script: "kill -KILL $$", ends: { exit_code: null, signal: "SIGKILL" } },
    { script: "no_such_program_anywhere 2>&1 >/dev/null", ends: { exit_code: 127 } },
    { script: "head -c 200000 /dev/zero | tr '\\0' x | fold >&2", ends: { bytes } },
  ];
}

interface JobKind extends Kind {
  /** Ended by us once it has written `up`; what is not runs to its own end. */
  readonly kill?: true;
}

function kindsOfJob(sleep: string): readonly JobKind[] {
  return [
    { script: "cat; echo up; exit 3", ends: { exit_code: 3, stdout: "up\n" } },
    { script: `echo up; ${sleep}`, kill: true, ends: { exit_code: null, signal: "SIGTERM" } },
    { script: "trap 'echo bye' EXIT; set -e; false", ends: { exit_code: 1, stdout: "bye\n" } },
    { script: `(${sleep} & ) & echo up; exec true`, ends: { exit_code: 0, stdout: "up\n" } },
    { script: "seq 30000 >&2; printf '[job 9 has ended]'", ends: { exit_code: 0 } },
  ];
}

/** Each takes the whole grace until SIGKILL: a few at a time, and all of them together. */
const DEAF_JOBS = 5;

function openDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

/** The tools over one registry; every call has an id of its own. */
function session({ commands }: CommandHouse, jobs: JobRegistry) {
  const bash = bashTool({ timeoutMs: LONG_MS });
  let calls = 0;
  const context = () => ({
    ...{ callId: `call_${++calls}`, commands, jobs, progress() {} },
    signal: new AbortController().signal,
  });
  const plan = { touches: [] };
  return {
    bash: (command: string) => bash.run({ command }, context(), plan),
    async start(command: string): Promise<string> {
      const { job_id } = await bash.run({ command, background: true }, context(), plan);
      ok(job_id);
      return job_id;
    },
    output: (job_id: string, until: string) =>
      jobOutput.run({ job_id, until, wait_ms: LONG_MS }, context(), plan),
    kill: (job_id: string) => jobKill.run({ job_id }, context(), plan),
  };
}

type Session = ReturnType<typeof session>;

/** Runs one command and compares all that its kind tells about its end. */
async function runCommand({ bash }: Session, { script, ends, leaves = false }: Kind) {
  const value = await bash(script);
  compare(script, value, { exit_code: 0, signal: null, timed_out: false, ...ends });
  strictEqual(value.background_ended > 0, leaves, script);
}

/** Runs one job to its end, its own or ours. */
async function runJob(tools: Session, { script, ends, kill }: JobKind): Promise<void> {
  const id = await tools.start(script);
  if (kill) await tools.output(id, "up");
  const value = known(kill ? await tools.kill(id) : await tools.output(id, "exit"));
  compare(script, value, { running: false, signal: null, ...ends });
}

/** Compares what `value` says about the same as `want`; a failure names the script. */
function compare(script: string, value: object, want: object): void {
  const part = Object.fromEntries(Object.entries(value).filter(([name]) => name in want));
  deepStrictEqual({ script, ...part }, { script, ...want });
}

function known(value: JobValue) {
  if (!value.found) throw new Error(`No job ${value.job_id}`);
  return value;
}

for (const kind of BOTH_COMMANDS) {
  const name = `${COMMANDS} commands and ${JOBS} jobs in a ${kind.name}`;
  Deno.test({ name, ignore: Deno.build.os !== "linux" || kind.ignore }, async (t) => {
    const before = openDescriptors();
    const sleep = `sleep 1000.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    let workspace = "";
    {
      await using house = await kind.open();
      await using jobs = new JobRegistry();
      workspace = house.workspace;
      const tools = session(house, jobs);
      const commands = kindsOfCommand(sleep);
      let warm = 0;
      let descriptors = 0;
      await t.step(`${COMMANDS} commands`, async () => {
        for (let count = 0; count < COMMANDS; count++) {
          if (count === WARM_COMMANDS) {
            warm = usedBytes();
            descriptors = openDescriptors();
          }
          const command = commands[count % commands.length];
          ok(command);
          await runCommand(tools, command);
        }
        const grown = usedBytes() - warm;
        ok(grown < MAX_GROWTH_BYTES, `${grown} bytes more than ${warm}`);
      });
      await t.step(`${JOBS} jobs, ${DEAF_JOBS} of them ignore SIGTERM`, async () => {
        const kinds = kindsOfJob(sleep);
        for (let count = 0; count < JOBS - DEAF_JOBS; count++) {
          const job = kinds[count % kinds.length];
          ok(job);
          await runJob(tools, job);
        }
        const script = `trap '' TERM; echo up; while :; do ${sleep}; done`;
        const deaf: JobKind = { script, kill: true, ends: { exit_code: null, signal: "SIGKILL" } };
        await Promise.all(Array.from({ length: DEAF_JOBS }, () => runJob(tools, deaf)));
        strictEqual(jobs.list().length, JOBS);
      });
      await t.step("the shell has kept its state, and nothing is left", async () => {
        const rounds = Math.ceil(COMMANDS / commands.length);
        await runCommand(tools, { script: "echo $n", ends: { stdout: `${rounds}\n` } });
        strictEqual(openDescriptors(), descriptors);
        await gone(await processesWith(sleep));
      });
    }
    await gone(await processesWith(workspace));
    strictEqual(openDescriptors(), before);
  });
}
