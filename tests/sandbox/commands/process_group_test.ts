import { fileURLToPath } from "node:url";
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { CommandError } from "../../../sandbox/commands/commands.ts";
import { testShell } from "../../helpers/shell.ts";

/** Whether a process is there and not a zombie; asked of a bash, as tests may run anywhere. */
async function isAlive(pid: string): Promise<boolean> {
  const { success, stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] })
    .output();
  return success && !new TextDecoder().decode(stdout).startsWith("Z");
}

const NOTHING = { head: "", tail: "", bytes: 0, omitted: 0 };

Deno.test("run() tells both streams and the exit code", async () => {
  await using shell = await testShell();
  const { durationMs, ...result } = await shell.run("echo out; echo err >&2; exit 3");
  ok(durationMs >= 0);
  deepStrictEqual(result, {
    stdout: { head: "out\n", tail: "", bytes: 4, omitted: 0 },
    stderr: { head: "err\n", tail: "", bytes: 4, omitted: 0 },
    exitCode: 3,
    signal: null,
    timedOut: false,
    aborted: false,
    backgroundEnded: 0,
  });
});

Deno.test("run() gives a command no terminal, no input and only its environment", async () => {
  await using shell = await testShell();
  const { stdout } = await shell.run('[ -t 0 ] || cat; echo "end:$(env | cut -d= -f1 | sort)"');
  const names = stdout.head.replace("end:", "").trim().split("\n");
  // The last three are bash's own.
  deepStrictEqual(
    names,
    [
      ..."AI_AGENT GIT_EDITOR GIT_PAGER GIT_TERMINAL_PROMPT LANG MANPAGER NO_COLOR".split(" "),
      ..."PAGER PATH PWD SHLVL TERM TMPDIR _".split(" "),
    ],
  );
});

Deno.test("run() starts in the folder and with the variables that it is told", async () => {
  await using shell = await testShell();
  const options = { timeoutMs: 60_000, cwd: "/", env: { EXTRA: "1" } };
  const { stdout } = await shell.commands.run(["bash", "-c", "echo $PWD $EXTRA"], options);
  strictEqual(stdout.head, "/ 1\n");
  strictEqual((await shell.run("pwd")).stdout.head, `${shell.workspace}\n`);
});

Deno.test("run() passes arguments as they are", async () => {
  await using shell = await testShell();
  const argv = ["printf", "%s|", "a b", "", "$HOME", "*", "ü"] as const;
  const { stdout } = await shell.commands.run(argv, { timeoutMs: 60_000 });
  strictEqual(stdout.head, "a b||$HOME|*|ü|");
});

Deno.test("run() throws where a program cannot be started", async () => {
  await using shell = await testShell();
  const { commands } = shell;
  await rejects(
    commands.run(["no-such-program-here"], { timeoutMs: 1000 }),
    (error) =>
      error instanceof CommandError && /^Cannot start "no-such-program-here": /.test(error.message),
  );
  await rejects(commands.run(["true"], { timeoutMs: 1000, cwd: "/no/such/folder" }), CommandError);
  strictEqual((await commands.run(["true"], { timeoutMs: 1000 })).exitCode, 0);
});

Deno.test("run() ends the whole group at the time limit and keeps what was written", async () => {
  await using shell = await testShell();
  const result = await shell.run("echo early; sleep 1000 & echo $!; sleep 1000", {
    timeoutMs: 300,
  });
  const [early, pid = ""] = result.stdout.head.split("\n");
  deepStrictEqual([early, result.timedOut, result.signal, result.exitCode], [
    "early",
    true,
    "SIGTERM",
    null,
  ]);
  strictEqual(result.backgroundEnded, 0);
  strictEqual(await isAlive(pid), false);
});

Deno.test("run() lets a command end itself properly in its grace", async () => {
  await using shell = await testShell();
  const script = "trap 'echo cleaned; exit 5' TERM; while :; do sleep 0.05; done";
  const result = await shell.run(script, { timeoutMs: 300 });
  deepStrictEqual([result.stdout.head, result.timedOut, result.exitCode, result.signal], [
    "cleaned\n",
    true,
    5,
    null,
  ]);
});

Deno.test("run() kills what ignores SIGTERM, and what it started", async () => {
  await using shell = await testShell();
  const script = "trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1; done";
  const result = await shell.run(script, { timeoutMs: 200 });
  deepStrictEqual([result.timedOut, result.signal], [true, "SIGKILL"]);
  strictEqual(await isAlive(result.stdout.head.trim()), false);
});

Deno.test("run() ends a stopped command", async () => {
  await using shell = await testShell();
  const result = await shell.run("kill -STOP $$; echo went on", { timeoutMs: 200 });
  deepStrictEqual([result.timedOut, result.signal, result.stdout.head], [true, "SIGTERM", ""]);
});

Deno.test("run() ends the group when its signal is raised", async () => {
  await using shell = await testShell();
  const controller = new AbortController();
  const result = await shell.run("sleep 1000 & echo $!; sleep 1000", {
    signal: controller.signal,
    onText: () => controller.abort(),
  });
  deepStrictEqual([result.aborted, result.timedOut, result.signal], [true, false, "SIGTERM"]);
  strictEqual(await isAlive(result.stdout.head.trim()), false);
});

Deno.test("run() starts nothing when its signal was raised before", async () => {
  await using shell = await testShell();
  const result = await shell.run("touch started", { signal: AbortSignal.abort() });
  deepStrictEqual([result.aborted, result.exitCode, result.stdout], [true, null, NOTHING]);
  deepStrictEqual([...Deno.readDirSync(shell.workspace)], []);
});

Deno.test("run() ends and counts what a command left in its group", async () => {
  await using shell = await testShell();
  const result = await shell.run("for i in 1 2 3; do sleep 1000 & echo $!; done");
  deepStrictEqual([result.exitCode, result.backgroundEnded], [0, 3]);
  for (const pid of result.stdout.head.trim().split("\n")) strictEqual(await isAlive(pid), false);
});

Deno.test("run() ends what a command left also where it closed its pipes or ignores SIGTERM", async () => {
  await using shell = await testShell();
  const quiet = await shell.run("sleep 1000 >/dev/null 2>&1 & echo $!");
  strictEqual(quiet.backgroundEnded, 1);
  strictEqual(await isAlive(quiet.stdout.head.trim()), false);
  const deaf = await shell.run("(trap '' TERM; exec sleep 1000) & echo $!");
  strictEqual(deaf.backgroundEnded, 1);
  strictEqual(await isAlive(deaf.stdout.head.trim()), false);
});

Deno.test("run() does not wait for pipes that are held outside of its group", async () => {
  await using shell = await testShell();
  const result = await shell.run("setsid sleep 20 & echo $!; echo end");
  const [pid = ""] = result.stdout.head.split("\n");
  try {
    // The process is still there when the answer is: so it was not waited for.
    strictEqual(await isAlive(pid), true);
    deepStrictEqual([result.exitCode, result.stdout.head], [0, `${pid}\nend\n`]);
  } finally {
    Deno.kill(Number(pid), "SIGKILL");
  }
});

Deno.test("run() keeps head and tail of much output, and all of it in a file", async () => {
  await using shell = await testShell();
  const { stdout, spill } = await shell.run("seq 100000; seq 3 >&2", { spill: "o.txt" });
  const total = 588_895;
  strictEqual(stdout.bytes, total);
  ok(stdout.head.startsWith("1\n2\n") && stdout.tail.endsWith("99999\n100000\n"));
  strictEqual(stdout.head.length + stdout.tail.length + stdout.omitted, total);
  ok(stdout.head.length + stdout.tail.length <= 64 * 1024);
  strictEqual(spill?.bytes, total + 6);
  strictEqual((await Deno.stat(spill.path)).size, total + 6);
});

Deno.test("run() is bounded in memory and on disk for output without end", async (t) => {
  const cases: [name: string, script: string][] = [
    ["lines", "yes"],
    ["one line", "yes | tr -d '\\n'"],
    ["zero bytes", "cat /dev/zero"],
    ["random bytes", "cat /dev/urandom"],
    ["both streams", "yes & yes >&2"],
  ];
  for (const [name, script] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      const result = await shell.run(script, { spill: "o.txt", timeoutMs: 400 });
      for (const { head, tail } of [result.stdout, result.stderr]) {
        ok(new TextEncoder().encode(head + tail).length <= 64 * 1024);
      }
      ok((result.spill?.bytes ?? 0) <= 64 * 1024 * 1024);
      strictEqual(result.timedOut, true);
    });
  }
});

Deno.test("run() lets no descriptor of ours through", async () => {
  // The shell hands descriptor 9 to Deno, as a careless parent would.
  const probe = fileURLToPath(new URL("../programs/descriptors.ts", import.meta.url));
  const command = `exec 9</; exec "$0" run --no-prompt --cached-only --allow-run=bash,ls "$1"`;
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", command, Deno.execPath(), probe],
  }).output();
  const text = new TextDecoder().decode(stdout);
  deepStrictEqual(
    text.split("\n"),
    ["0 1 2 3", "0 1 2 3", "CommandError", ""],
    new TextDecoder().decode(stderr),
  );
});

Deno.test("run() works with --allow-run=bash alone, and keeps the shell's state", async () => {
  const probe = fileURLToPath(new URL("../programs/tight.ts", import.meta.url));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--cached-only", "--allow-run=bash", probe],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", ...denoFolder() },
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  deepStrictEqual(lines.map((line) => JSON.parse(line)), [
    { stdout: "hi\n", exitCode: 3, backgroundEnded: 2 },
    { timedOut: true, signal: "SIGTERM" },
    { text: "", cwd: "/usr" },
    { text: "/usr 5", cwd: "/usr" },
    { left: false },
  ], new TextDecoder().decode(stderr));
});

/** Where Deno finds its cache, as it would without our clean environment. */
function denoFolder(): Record<string, string> {
  const names = ["DENO_DIR", "HOME", "XDG_CACHE_HOME"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
