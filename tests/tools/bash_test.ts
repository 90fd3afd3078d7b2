import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { bashTool, DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from "../../tools/bash.ts";
import type { CommandValue } from "../../tools/command_value.ts";
import type { CommandOptions, CommandResult, Commands } from "../../sandbox/commands/commands.ts";
import { noJobs } from "../../sandbox/commands/jobs.ts";
import { testShell } from "../helpers/shell.ts";

const VALUE: CommandValue = {
  exit_code: 0,
  signal: null,
  timed_out: false,
  interrupted: false,
  timeout_ms: 2000,
  duration_ms: 5,
  stdout: "",
  stderr: "",
  bytes: { stdout: 0, stderr: 0 },
  background_ended: 0,
  cwd: "/w",
  state: "adopted",
  folder_gone: false,
};

const MB = 1024 * 1024;

Deno.test("bash renders output and markers", async (t) => {
  const cut = { shown: 50 * 1024, total: 3.1 * MB };
  const cases: [name: string, value: Partial<CommandValue>, want: string][] = [
    ["nothing", {}, ""],
    ["stdout", { stdout: "a\nb\n" }, "a\nb"],
    ["stderr", { stderr: "e\n" }, "[stderr]\ne"],
    ["both", { stdout: "a", stderr: "e\n\n" }, "a\n[stderr]\ne\n"],
    ["an exit code", { exit_code: 1 }, "[exit code: 1]"],
    ["a signal", { exit_code: null, signal: "SIGSEGV" }, "[killed by signal: SIGSEGV]"],
    [
      "a time limit",
      { timed_out: true, exit_code: null, signal: "SIGTERM" },
      "[timed out after 2000ms]\n[killed by signal: SIGTERM]",
    ],
    ["a time limit that was met properly", { timed_out: true }, "[timed out after 2000ms]"],
    [
      "an interruption",
      { interrupted: true, exit_code: null, signal: "SIGTERM" },
      "[interrupted]\n[killed by signal: SIGTERM]",
    ],
    ["one process", { background_ended: 1 }, "[1 background process ended: use background]"],
    ["processes", { background_ended: 3 }, "[3 background processes ended: use background]"],
    ["a cut, nowhere to write", { truncated: cut }, "[output truncated: 50 KB of 3.1 MB shown]"],
    [
      "a cut with all in a file",
      { truncated: cut, spill: { path: "/s/o.txt", bytes: 3.1 * MB } },
      "[output truncated: 50 KB of 3.1 MB shown, all in /s/o.txt]",
    ],
    [
      "a cut with the beginning in a file",
      { truncated: { ...cut, total: 200 * MB }, spill: { path: "/s/o.txt", bytes: 64 * MB } },
      "[output truncated: 50 KB of 200 MB shown, first 64 MB in /s/o.txt]",
    ],
    [
      "a shortened limit",
      { requested_timeout_ms: 900_000, timeout_ms: 600_000 },
      "[timeout_ms 900000 is too long: 600000 used]",
    ],
    ["a folder that is gone", { folder_gone: true }, "[working folder is gone: now in /w]"],
    [
      "state that is too large",
      { state: "too_large" },
      "[shell state over 1 MB not kept: variables and functions are as before this call]",
    ],
    [
      "all of it in order",
      {
        stdout: "out\n",
        stderr: "err\n",
        folder_gone: true,
        timed_out: true,
        exit_code: 124,
        background_ended: 2,
        truncated: cut,
      },
      "out\n[stderr]\nerr\n[working folder is gone: now in /w]\n[timed out after 2000ms]\n" +
      "[exit code: 124]\n[2 background processes ended: use background]\n" +
      "[output truncated: 50 KB of 3.1 MB shown]",
    ],
  ];
  for (const [name, value, want] of cases) {
    await t.step(name, () => {
      deepStrictEqual(bashTool().render({ ...VALUE, ...value }), [{ type: "text", text: want }]);
    });
  }
});

Deno.test("bash takes a command and a limit, and nothing unknown", async (t) => {
  const { parameters } = bashTool();
  const cases: [name: string, args: unknown, ok: boolean][] = [
    ["a command", { command: "ls" }, true],
    ["a limit and a description", { command: "ls", timeout_ms: 5, description: "List" }, true],
    ["no command", {}, false],
    ["a limit of nothing", { command: "ls", timeout_ms: 0 }, false],
    ["a job", { command: "ls", background: true }, true],
    ["what happens at the limit", { command: "ls", on_timeout: "kill" }, true],
    ["something else that happens at the limit", { command: "ls", on_timeout: "wait" }, false],
    ["a NUL character", { command: "echo a\0b" }, false],
    ["a long command", { command: "#".repeat(1_500_000) }, true],
    ["a command that is too long", { command: "#".repeat(1_500_001) }, false],
    ["a command that is too long in bytes", { command: "ü".repeat(750_001) }, false],
  ];
  for (const [name, args, want] of cases) {
    await t.step(name, () => strictEqual(parameters.parse(args).ok, want));
  }
  await t.step("says what to do about a long command", () => {
    const parsed = parameters.parse({ command: "#".repeat(1_500_001) });
    match(parsed.ok ? "" : parsed.problems.join(), /write the text to a file first/);
  });
});

Deno.test("bash plans the command that it runs", async () => {
  deepStrictEqual(await bashTool().plan({ command: "ls" }, {}), {
    touches: [{ kind: "command", command: "ls" }],
  });
});

/** Commands that only note what they are asked, for limits too long to wait for. */
function notingCommands(asked: CommandOptions[]): Commands {
  const nothing = { head: "", tail: "", bytes: 0, omitted: 0 };
  const result: CommandResult = {
    stdout: nothing,
    stderr: nothing,
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    durationMs: 0,
    backgroundEnded: 0,
  };
  const call = { state: "/s/state.sh", next: "/s/n" };
  return {
    cwd: "/w",
    shell: {
      cwd: "/w",
      workspace: "/w",
      open: () => Promise.resolve(call),
      adopt: () => Promise.resolve({ kind: "absent" }),
      discard: () => Promise.resolve(),
      moveTo: () => {},
    },
    run(_, options) {
      asked.push(options);
      return Promise.resolve(result);
    },
    start: () => Promise.reject(new Error("no job is asked for")),
    open: () => Promise.reject(new Error("bash opens no process")),
    collect: () => {
      throw new Error("bash collects no output");
    },
  };
}

Deno.test("bash limits the time of a command", async (t) => {
  const cases: [name: string, configured: number | undefined, asked: number | undefined, want: {
    timeout_ms: number;
    requested_timeout_ms?: number;
  }][] = [
    ["by default", undefined, undefined, { timeout_ms: DEFAULT_TIMEOUT_MS }],
    ["as configured", 5000, undefined, { timeout_ms: 5000 }],
    ["as asked", 5000, 7000, { timeout_ms: 7000 }],
    ["at the most so long", undefined, 900_000, {
      timeout_ms: MAX_TIMEOUT_MS,
      requested_timeout_ms: 900_000,
    }],
  ];
  for (const [name, configured, asked, want] of cases) {
    await t.step(name, async () => {
      const options: CommandOptions[] = [];
      const tool = bashTool({ timeoutMs: configured });
      const signal = new AbortController().signal;
      const value = await tool.run(
        { command: "ls", timeout_ms: asked },
        {
          ...{ commands: notingCommands(options), jobs: noJobs("none here") },
          ...{ callId: "../x", signal, progress: () => {} },
        },
        { touches: [] },
      );
      const { timeout_ms, requested_timeout_ms } = value;
      deepStrictEqual({ timeout_ms, ...(requested_timeout_ms && { requested_timeout_ms }) }, want);
      deepStrictEqual(options.map(({ timeoutMs, spill }) => [timeoutMs, spill]), [
        [want.timeout_ms, "bash-___x.txt"],
      ]);
    });
  }
});

Deno.test("bash tells what happened as a value that its own schema reads", async () => {
  await using shell = await testShell();
  const { duration_ms, ...value } = await shell.bash("echo out; echo err >&2; cd /; exit 3");
  deepStrictEqual(value, {
    exit_code: 3,
    signal: null,
    timed_out: false,
    interrupted: false,
    timeout_ms: 60_000,
    stdout: "out\n",
    stderr: "err\n",
    bytes: { stdout: 4, stderr: 4 },
    background_ended: 0,
    cwd: "/",
    state: "adopted",
    folder_gone: false,
  });
  const stored = JSON.parse(JSON.stringify({ ...value, duration_ms }));
  deepStrictEqual(bashTool().result.parse(stored), { ok: true, value: { ...value, duration_ms } });
});

Deno.test("bash tells real endings by their markers", async (t) => {
  await using shell = await testShell();
  const cases: [name: string, command: string, want: string, timeoutMs?: number][] = [
    ["no output", "true", ""],
    ["no newline at the end", "printf a; false", "a\n[exit code: 1]"],
    ["standard input is empty", "cat; [ -t 0 ]", "[exit code: 1]"],
    [
      "an unknown command",
      "nope",
      "[stderr]\nbash: line 1: nope: command not found\n[exit code: 127]",
    ],
    [
      "the line of a mistake",
      "true\n\nnope",
      "[stderr]\nbash: line 3: nope: command not found\n[exit code: 127]",
    ],
    ["a signal", "kill -KILL $$", "[killed by signal: SIGKILL]"],
    [
      "a limit",
      "echo a; sleep 1000",
      "a\n[timed out after 300ms]\n[killed by signal: SIGTERM]",
      300,
    ],
    [
      "processes in the background",
      "sleep 1000 & sleep 1000 & sleep 1000 & echo a",
      "a\n[3 background processes ended: use background]",
    ],
    ["colours", "printf '\\e[31mred\\e[0m\\n'", "red"],
  ];
  for (const [name, command, want, timeoutMs] of cases) {
    await t.step(name, async () => {
      strictEqual(await shell.text(command, timeoutMs === undefined ? {} : { timeoutMs }), want);
    });
  }
});

Deno.test("bash shows 50 KB of much output and keeps all in a file", async () => {
  await using shell = await testShell();
  const text = await shell.text("seq 100000; seq 50000 >&2");
  const path = `${shell.session}/bash-call_1.txt`;
  ok(text.startsWith("1\n2\n") && text.includes("\n100000\n[stderr]\n1\n2\n"));
  ok(text.endsWith(`\n50000\n[output truncated: 50 KB of 857 KB shown, all in ${path}]`));
  ok(text.length < 51 * 1024);
  strictEqual((await Deno.stat(path)).size, 588_895 + 288_894);
});

Deno.test("bash streams output to the screen, and stops when the person interrupts", async () => {
  await using shell = await testShell();
  const controller = new AbortController();
  const seen: string[] = [];
  const value = await shell.bash("x=1; echo started; sleep 1000 & sleep 1000", {
    signal: controller.signal,
    onText: (text) => {
      seen.push(text);
      controller.abort();
    },
  });
  deepStrictEqual([value.interrupted, value.signal, value.stdout, seen], [
    true,
    "SIGTERM",
    "started\n",
    ["started\n"],
  ]);
  strictEqual(await shell.text("echo $x"), "1");
});

Deno.test("bash runs long commands", async () => {
  await using shell = await testShell();
  // Characters of two bytes make any border between pieces of an odd length visible.
  const long = "ü".repeat(500_000);
  strictEqual(await shell.text(`x='${long}'; echo $\{#x}; unset x`), "500000");
});

Deno.test("bash throws where bash cannot be started", async () => {
  await using shell = await testShell();
  await Deno.writeTextFile(`${shell.session}/shell`, "in the way of the folder of state");
  await rejects(shell.bash("true"));
});
