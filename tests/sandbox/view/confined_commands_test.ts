import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { CommandError } from "../../../sandbox/commands/commands.ts";
import type { Mount } from "../../../sandbox/view/mounts.ts";
import { canConfine, confinedHouse, makeRepository, onHost } from "../../helpers/confined.ts";
import { gone, processesWith } from "../../helpers/processes.ts";

const ignore = !await canConfine();
const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;

Deno.test({ name: "a confined command's ending (needs a view)", ignore }, async (t) => {
  await using house = await confinedHouse();
  const { run, commands } = await house.commands();

  const endings: [name: string, script: string, exitCode: number | null, signal: string | null][] =
    [
      ["ends well", "true", 0, null],
      ["ends with a code", "exit 3", 3, null],
      ["a code above 128 is no signal", "exit 143", 143, null],
      ["is ended by a signal", "kill -KILL $$", null, "SIGKILL"],
      ["by SIGTERM", "kill -TERM $$", null, "SIGTERM"],
      ["a signal of its child is an exit code", "sh -c 'kill -SEGV $$'; exit", 139, null],
    ];
  for (const [name, script, exitCode, signal] of endings) {
    await t.step(name, async () => {
      const result = await run(script);
      deepStrictEqual(
        { ...result, stdout: "", stderr: "", durationMs: 0 },
        {
          ...{ stdout: "", stderr: "", exitCode, signal, timedOut: false, aborted: false },
          ...{ backgroundEnded: 0, durationMs: 0 },
        },
      );
    });
  }

  await t.step("both streams come back apart, and nothing of the supervisor", async () => {
    const { stdout, stderr } = await run("printf out; printf err >&2; printf '\\0cordon'");
    strictEqual(stdout.head, "outcordon");
    strictEqual(stderr.head, "err");
  });

  await t.step("standard input is empty", async () => {
    strictEqual((await run("cat; echo done")).stdout.head, "done\n");
  });

  await t.step("a program that is not there", async () => {
    await rejects(commands.run(["no-such-program"], { timeoutMs: 5_000 }), {
      name: "CommandError",
      message: 'Cannot start "no-such-program": no such program',
    });
  });

  await t.step("a folder that is not there", async () => {
    const options = { timeoutMs: 5_000, cwd: `${house.workspace}/nowhere` };
    await rejects(commands.run(["true"], options), CommandError);
  });

  await t.step("a program that is no argument of a shell", async () => {
    const argv = ["printf", "%s|", "a b", "*", "$HOME", "'", "\n"] as const;
    strictEqual(
      (await commands.run(argv, { timeoutMs: 5_000 })).stdout.head,
      "a b|*|$HOME|'|\n|",
    );
  });

  await t.step("variables on top", async () => {
    const result = await run("echo $A $LD_PRELOAD $HOME", { env: { A: "1", LD_PRELOAD: "x" } });
    strictEqual(result.stdout.head, `1 ${house.home}\n`);
  });

  await t.step("the locale is the command's", async () => {
    strictEqual((await run("echo $LANG; printf é | wc -m")).stdout.head, "C.UTF-8\n1\n");
    const C = await run("echo $LANG $LC_ALL; printf é | wc -m", { env: { LC_ALL: "C" } });
    strictEqual(C.stdout.head, "C.UTF-8 C\n2\n");
  });

  await t.step("output past the limit is spilled, and named as tools name it", async () => {
    const { stdout, spill } = await run("seq 100000", { spill: "a.txt" });
    strictEqual(spill?.path, "/cordon/out/a.txt");
    strictEqual(spill.bytes, stdout.bytes);
    strictEqual((await Deno.stat(`${house.session}/a.txt`)).size, stdout.bytes);
    match(
      (await run("tail -n1 /cordon/out/a.txt; echo x >/cordon/out/a.txt")).stdout.head,
      /^100000/,
    );
    strictEqual((await Deno.stat(`${house.session}/a.txt`)).size, stdout.bytes);
  });
});

Deno.test({ name: "a confined command's limits (needs a view)", ignore }, async (t) => {
  await using house = await confinedHouse();
  const { run } = await house.commands();

  await t.step("is asked to end at the time limit, and may say a last word", async () => {
    const script = "trap 'echo bye; exit 7' TERM; sleep 30 & wait";
    const result = await run(script, { timeoutMs: 300 });
    deepStrictEqual([result.stdout.head, result.exitCode, result.timedOut], ["bye\n", 7, true]);
  });

  await t.step("is killed where it does not", async () => {
    const script =
      "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 300' &); while :; do :; done";
    const result = await run(script, { timeoutMs: 200 });
    deepStrictEqual([result.exitCode, result.signal, result.timedOut], [null, "SIGKILL", true]);
  });

  await t.step("is killed at once when the signal is raised", async () => {
    const stop = new AbortController();
    const result = await run("echo up; exec sleep 300", {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    deepStrictEqual([result.stdout.head, result.aborted, result.timedOut], ["up\n", true, false]);
  });

  await t.step("is not started when it was raised before", async () => {
    const result = await run("touch started", { signal: AbortSignal.abort() });
    ok(result.aborted);
    await rejects(Deno.stat(`${house.workspace}/started`), Deno.errors.NotFound);
  });

  await t.step("what it leaves behind is ended and counted", async () => {
    const script = `sleep 301 & (setsid nohup sleep 302 >/dev/null 2>&1 &)
      until [[ $(pgrep -c -fx "sleep 30[12]") == 2 ]]; do :; done; echo done`;
    const result = await run(script);
    deepStrictEqual([result.stdout.head, result.backgroundEnded], ["done\n", 2]);
    ok(!/^sleep 30[12]$/m.test(await onHost("/", "ps", "-eo", "args=")));
  });

  const limits: [name: string, script: string][] = [
    ["no core files", "[[ $(ulimit -Hc) == 0 ]]"],
    ["4096 descriptors", "(( $(ulimit -Hn) <= 4096 ))"],
    ["files of 1 GiB", "! truncate -s 1025M big && truncate -s 10M big"],
    ["4 GiB of data", "(( $(ulimit -Hd) == 4194304 ))"],
    ["cannot be raised", "! ulimit -Hd unlimited"],
  ];
  for (const [name, script] of limits) {
    await t.step(name, async () => strictEqual((await run(script)).exitCode, 0));
  }

  await t.step({
    name: "512 processes (not as root)",
    // Linux does not count the processes of root.
    ignore: isRoot,
    fn: async () => {
      // Not bash, which waits and tries again.
      const script = "perl -e 'while ($n < 600) { $p = fork; last unless defined $p;" +
        " if (!$p) { sleep 60; exit } $n++ } print $n'";
      const { stdout } = await run(script);
      ok(Number(stdout.head) > 100, stdout.head);
      ok(Number(stdout.head) < 512, stdout.head);
    },
  });

  await t.step("stops what fills the disk, and says why", async () => {
    const small = await house.commands({}, {
      watched: [house.workspace],
      diskBudgetBytes: 8 * 1024 ** 2,
    });
    const script = "dd if=/dev/zero of=full bs=1M count=64 2>/dev/null; sync; sleep 60";
    const result = await small.run(script);
    deepStrictEqual([result.exitCode, result.signal], [null, "SIGXFSZ"]);
    match(result.stderr.head, /more than 8 MB were written/);
  });
});

Deno.test({ name: "what a confined command sees and may do (needs a view)", ignore }, async (t) => {
  const secret = "s3cret-of-the-host";
  await using house = await confinedHouse({
    "home/.ssh/id_ed25519": secret,
    "home/.bashrc": "",
    "outside/file": secret,
    "ws/inside": "inside",
  });
  await makeRepository(house.workspace);
  await Deno.symlink(house.dir.join("outside"), house.dir.join("ws", "link"));
  const { text, run } = await house.commands();
  const { workspace, home, state } = house;
  const outside = house.dir.join("outside");

  const seen: [name: string, script: string, want: RegExp][] = [
    ["its workspace", "cat inside; echo new >new; cat new", /^insidenew\n$/],
    ["no key of the user", `cat ${home}/.ssh/id_ed25519 ~/.ssh/*`, /No such file/],
    ["no folder beside it", `cat ${outside}/file ../outside/file link/file`, /No such file/],
    ["no state folder", `ls ${state}`, /No such file/],
    ["no other process", "ls -d /proc/[0-9]* | wc -l", /^[1-9]\n$/],
    ["no other root", "cat /proc/1/root" + outside + "/file", /No such file/],
    ["no shadow file", "cat /etc/shadow", /No such file|Permission denied/],
    ["no network but its own", "cat /proc/net/dev | grep -c :", /^1\n$/],
    ["no descriptor of ours", "ls /proc/self/fd | tr '\\n' ' '", /^0 1 2 3 $/],
    ["ordinary devices", "echo x >/dev/null && head -c1 /dev/zero | wc -c", /^1\n$/],
    [
      "a read-only system",
      "touch /usr/x /x /etc/x /dev/x",
      /(Read-only|denied)[^]*(Read-only|denied)/,
    ],
    ["no kernel settings", "echo 1 >/proc/sys/kernel/panic", /Read-only|denied/],
    ["a user of no right", "id -u; grep CapEff /proc/self/status", /^1000\nCapEff:\s+0+\n$/],
    ["no new namespace", "unshare -Ur true; unshare -m true", /not permitted[^]*not permitted/],
    ["no set-uid rights", "grep NoNewPrivs /proc/self/status", /NoNewPrivs:\s+1/],
  ];
  for (const [name, script, want] of seen) {
    await t.step(name, async () => match(await text(script), want));
  }

  await t.step("writes of HOME and /tmp stay between commands, and out of the host", async () => {
    await run("echo private >~/.bashrc; echo kept >/tmp/kept; mkdir -p ~/.config/systemd");
    strictEqual(await text("cat ~/.bashrc /tmp/kept"), "private\nkept\n");
    strictEqual(await Deno.readTextFile(`${home}/.bashrc`), "");
    await rejects(Deno.stat(`${home}/.config`), Deno.errors.NotFound);
  });

  await t.step("commits, and cannot reach what git runs", async () => {
    const script = `
      git add new && git commit -qm second && git log --oneline | wc -l
      echo x >.git/hooks/post-commit; git config core.fsmonitor x
      mv .git .git2; mv .git/hooks .git/h2; rm -rf .git/hooks`;
    const output = await text(script);
    match(output, /^2\n/);
    match(output, /hooks\/post-commit: Read-only file system/);
    match(output, /cannot move '.git'/);
    ok(!(await onHost(workspace, "git", "config", "-l")).includes("fsmonitor"));
  });

  await t.step("the workspace holds nothing but what commands made", async () => {
    const names = (await onHost(workspace, "git", "status", "--porcelain", "-z")).split("\0");
    deepStrictEqual(names.filter((name) => name !== "").sort(), ["?? inside", "?? link"]);
  });
});

Deno.test({
  name:
    "a command that is stopped while its view is being made is over when that is said (needs a view)",
  ignore,
}, async () => {
  await using house = await confinedHouse();
  const { commands } = await house.commands();
  for (let waitMs = 0; waitMs < 12; waitMs++) {
    const seconds = `7${waitMs}${String(Date.now()).slice(-6)}`;
    const stop = new AbortController();
    const running = commands.run(["sleep", seconds], { timeoutMs: 300_000, signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    stop.abort();
    strictEqual((await running).aborted, true);
    await gone(await processesWith(seconds));
  }
});

Deno.test({ name: "profile plan writes nothing (needs a view)", ignore }, async () => {
  await using house = await confinedHouse({ "ws/a": "a" });
  const { text } = await house.commands({ profile: "plan" });
  const output = await text("cat a; touch b; echo >a; echo ok >/tmp/x && cat /tmp/x");
  match(output, /^aok\n/);
  match(output, /'b': Read-only[^]*a: Read-only/);
});

Deno.test(
  { name: "a command is refused where a protected place became a link (needs a view)", ignore },
  async () => {
    await using house = await confinedHouse({ "ws/.vscode/tasks.json": "{}", "home/.ssh/key": "" });
    const { run } = await house.commands();
    strictEqual((await run("true")).exitCode, 0);
    await Deno.remove(`${house.workspace}/.vscode`, { recursive: true });
    strictEqual((await run("ln -s ../home/.ssh .vscode")).exitCode, 0);
    await rejects(run("ls .vscode/"), CommandError);
  },
);

Deno.test({
  name: "sandboxes that never come up are errors, not results (needs a view)",
  ignore,
}, async () => {
  await using house = await confinedHouse();
  const { opened } = await house.commands();
  const lost: Mount = { kind: "bind", access: "read", source: "/no/such/folder", target: "/x" };
  const gone = { ...opened.view, mounts: [...opened.view.mounts, lost] };
  const broken = await house.commands({}, { view: gone });
  await rejects(broken.run("touch ran"), {
    name: "CommandError",
    message: /^Cannot start "bash": bwrap: /,
  });
  await rejects(Deno.stat(`${house.workspace}/ran`), Deno.errors.NotFound);
});
