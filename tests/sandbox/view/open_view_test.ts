import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { join, relative } from "node:path";
import { commandEnvironment } from "../../../sandbox/commands/environment.ts";
import {
  canConfine,
  type ConfinedHouse,
  confinedHouse,
  makeRepository,
  onHost,
} from "../../helpers/confined.ts";
import type { OpenViewOptions } from "../../../sandbox/view/open_view.ts";
import { isAlive } from "../../helpers/processes.ts";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";
import { JobRegistry } from "../../../sandbox/commands/jobs.ts";
import { removePrivateFolders } from "../../../sandbox/view/private_folders.ts";
import { privateFolders } from "../../../sandbox/view/view.ts";
import { bashTool } from "../../../tools/bash.ts";

const ignore = !await canConfine();
const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
const RUN = join(import.meta.dirname ?? ".", "..", "programs", "confined_run.ts");

Deno.test({ name: "openView() names tier and programs (needs a view)", ignore }, async () => {
  await using house = await confinedHouse();
  const opened = await house.open({ programs: ["bash", "no-such-program", "git"] });
  ok(opened.ok);
  deepStrictEqual([opened.tier, opened.programs], ["1", ["bash", "git"]]);
  const about = isRoot ? ["Cordon runs as root"] : [];
  deepStrictEqual(opened.view.warnings.map((line) => line.split(":")[0]), about);
});

Deno.test({ name: "openView() says why there is no view (needs a view)", ignore }, async (t) => {
  await using house = await confinedHouse({ "empty/": "" });

  await t.step("bubblewrap is not installed", async () => {
    deepStrictEqual(await house.open({ searchPath: house.dir.join("empty") }), {
      ok: false,
      reason: "bubblewrap is not installed",
      fix: "Install it: apt install bubblewrap (or dnf, pacman, apk)",
    });
  });

  await t.step("a program that looking around needs is missing", async () => {
    for (const name of ["bwrap", "bash", "cp", "mkdir"]) {
      const path = (await onHost("/", "sh", "-c", `command -v ${name}`)).trim();
      await Deno.symlink(path, house.dir.join("empty", name));
    }
    deepStrictEqual(await house.open({ searchPath: house.dir.join("empty") }), {
      ok: false,
      reason: "the program find is missing",
      fix: "Install find",
    });
  });

  await t.step("a workspace that is not there", async () => {
    const workspace = house.dir.join("nowhere");
    const { state, home } = house;
    const opened = await house.open({ places: { workspace, state, home } });
    ok(!opened.ok);
    match(opened.reason, /nowhere" cannot be entered/);
  });

  await t.step("a workspace that holds HOME", async () => {
    const { state, dir } = house;
    const opened = await house.open({ places: { workspace: dir.path, state, home: house.home } });
    ok(!opened.ok);
    match(opened.reason, /is or holds the home folder/);
  });
});

/** A bubblewrap that fails where `pattern` is among its arguments, and works as ever elsewhere. */
function failingBwrap(pattern: string, message: string): string {
  return `#!/bin/sh
case " $* " in (*'${pattern}'*) echo "bwrap: ${message}" >&2; exit 1;; esac
PATH=/usr/bin:/bin exec bwrap "$@"
`;
}

Deno.test({ name: "openView() where bubblewrap fails (needs a view)", ignore }, async (t) => {
  await using house = await confinedHouse({ "bin/": "" });
  const searchPath = `${house.dir.join("bin")}:/usr/bin:/bin`;
  async function install(pattern: string, message: string): Promise<void> {
    await Deno.writeTextFile(house.dir.join("bin", "bwrap"), failingBwrap(pattern, message));
    await Deno.chmod(house.dir.join("bin", "bwrap"), 0o755);
  }

  await t.step("in the survey", async () => {
    await install("--unshare-user", "setting up uid map: Permission denied");
    const opened = await house.open({ searchPath });
    ok(!opened.ok);
    match(opened.reason, /AppArmor/);
    deepStrictEqual(Object.keys(opened), ["ok", "reason", "fix"]);
  });

  await t.step("in the view itself", async () => {
    await install("--disable-userns", "Unknown option --disable-userns");
    const opened = await house.open({ searchPath });
    ok(!opened.ok);
    match(opened.reason, /too old/);
  });

  await t.step("at a fresh /proc: tier 1b", async () => {
    await install(" --proc ", "Can't mount proc on /newroot/proc: Operation not permitted");
    const { opened, run, text } = await house.commands({ searchPath });
    strictEqual(opened.tier, "1b");
    strictEqual(await text("echo works"), "works\n");
    strictEqual((await run("kill -9 $$")).signal, "SIGKILL");
    strictEqual((await run("sleep 300 & sleep 300 & :")).backgroundEnded, 1);
    match(await text(`cat /proc/${Deno.pid}/environ`), /Permission denied/);
    match(await text(`kill ${Deno.pid}`), /No such process/);
  });
});

Deno.test({ name: "openView() with a remembered proof (needs a view)", ignore }, async (t) => {
  await using house = await confinedHouse({ "bin/": "" });
  const searchPath = `${house.dir.join("bin")}:/usr/bin:/bin`;
  const options = { searchPath, programs: ["bash", "no-such-program"], remembers: true };
  const proofs = () => [...Deno.readDirSync(join(house.state, "proofs"))].map(({ name }) => name);
  async function install(pattern: string, message: string): Promise<void> {
    await Deno.writeTextFile(house.dir.join("bin", "bwrap"), failingBwrap(pattern, message));
    await Deno.chmod(house.dir.join("bin", "bwrap"), 0o755);
  }
  await install("(nothing)", "");

  await t.step("is made by the first start, and stands for any session", async () => {
    const first = await house.open(options);
    const second = await house.open({ ...options, session: "other" });
    ok(first.ok && second.ok);
    deepStrictEqual([second.tier, second.programs, second.view.warnings], [
      first.tier,
      first.programs,
      first.view.warnings,
    ]);
    deepStrictEqual([await first.confirmed, await second.confirmed], [undefined, undefined]);
    strictEqual(proofs().length, 1);
  });

  await t.step("says what is offered until the proof of this start has come", async () => {
    const [name = ""] = proofs();
    const file = join(house.state, "proofs", name);
    const truth = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, '{"programs":["forged"],"workspaceWritable":false}');
    const opened = await house.open(options);
    ok(opened.ok);
    deepStrictEqual(opened.programs, ["forged"]);
    strictEqual(await opened.confirmed, undefined);
    strictEqual(await Deno.readTextFile(file), truth);
  });

  await t.step("is told and forgotten where it does not hold, and no command runs", async () => {
    await install("--disable-userns", "Unknown option --disable-userns");
    const { opened, run } = await house.commands(options);
    match(await opened.confirmed ?? "", /too old/);
    deepStrictEqual(proofs(), []);
    await rejects(run("echo ran"), /Unknown option|too old/);
    strictEqual((await house.open(options)).ok, false);
  });

  await t.step("is kept of nothing that confines less", async () => {
    await install(" --proc ", "Can't mount proc on /newroot/proc: Operation not permitted");
    for (let start = 0; start < 2; start++) {
      const opened = await house.open(options);
      ok(opened.ok);
      strictEqual(opened.tier, "1b");
    }
    deepStrictEqual(proofs(), []);
  });

  await t.step("is neither used nor made by who only looks", async () => {
    await install("(nothing)", "");
    ok((await house.open({ ...options, remembers: false })).ok);
    deepStrictEqual(proofs(), []);
  });
});

Deno.test({ name: "openView() in workspaces of all kinds (needs a view)", ignore }, async (t) => {
  for (const name of ["a b", "new\nline", "naïve–日本", "$(touch x) `y` 'z' \"q\"", "-rf", "*"]) {
    await t.step(JSON.stringify(name), async () => {
      await using house = await confinedHouse({}, name);
      await makeRepository(house.workspace);
      await Deno.mkdir(`${house.workspace}/.vscode`);
      const { text, opened } = await house.commands();
      strictEqual(opened.view.workspace, house.workspace);
      const script =
        "echo a >a; git add a && git commit -qm b; echo x >.vscode/x; echo x >.git/config";
      match(await text(script), /vscode\/x: Read-only[^]*config: Read-only/);
      match(await onHost(house.workspace, "git", "log", "--format=%s"), /^b\nfirst\n$/);
    });
  }

  await t.step("behind a link: by its real path", async () => {
    await using house = await confinedHouse();
    const link = house.dir.join("link");
    await Deno.symlink(house.workspace, link);
    const { state, home } = house;
    const { opened, text } = await house.commands({ places: { workspace: link, state, home } });
    strictEqual(opened.view.workspace, house.workspace);
    strictEqual(await text("pwd; echo a >a"), `${house.workspace}\n`);
  });

  await t.step("10 000 nested folders", async () => {
    await using house = await confinedHouse();
    const { run } = await house.commands();
    // Not bash: deeper than a path can say, it would look for its own name at each step.
    const script = "perl -e 'for (1..10000) { mkdir(q(d)) && chdir(q(d)) or die }'";
    strictEqual((await run(script)).exitCode, 0);
    const again = await house.open();
    strictEqual(again.ok, true);
    strictEqual((await run("rm -rf d")).exitCode, 0);
  });

  await t.step("that holds the state folder", async () => {
    await using house = await confinedHouse({ "ws/sub/state/log": "secret" });
    const state = `${house.workspace}/sub/state`;
    const { text } = await house.commands({ places: { ...house, state } });
    const output = await text("ls sub/state; cat sub/state/log; echo x >sub/state/log; mv sub s2");
    match(output, /log: No such file[^]*log: Read-only[^]*cannot move/);
    strictEqual(await Deno.readTextFile(`${state}/log`), "secret");
  });

  await t.step({
    name: "of another user, for root (needs root)",
    ignore: !isRoot,
    fn: async () => {
      await using house = await confinedHouse();
      await Deno.chown(house.workspace, 12345, 12345);
      const opened = await house.open();
      ok(!opened.ok);
      match(opened.reason, /belongs to another user than root/);
    },
  });
});

Deno.test({ name: "git data outside of the workspace (needs a view)", ignore }, async (t) => {
  await t.step("a linked worktree: nothing without a yes, and with it commits", async () => {
    await using house = await confinedHouse({ "main/a": "a" });
    const main = house.dir.join("main");
    await makeRepository(main);
    await Deno.remove(house.workspace);
    await onHost(main, "git", "worktree", "add", "-q", house.workspace);
    const closed = await house.commands();
    match(closed.opened.view.warnings.join(), /lies outside the workspace/);
    match(await closed.text("git status"), /not a git repository/);
    const { text } = await house.commands({ agreesToStore: (path) => path === join(main, ".git") });
    const script = `echo b >b; git add b && git commit -qm second
      cat ${main}/a; echo x >${main}/.git/hooks/post-commit; echo x >${main}/.git/config
      echo x >.git`;
    match(
      await text(script),
      /a: No such file[^]*post-commit: Read-only[^]*config: Read-only[^]*\.git: Read-only/,
    );
    match(await onHost(house.workspace, "git", "log", "--format=%s"), /^second\n/);
  });

  await t.step(
    "a linked worktree whose names are relative, as git 2.48 can write them",
    async () => {
      await using house = await confinedHouse({ "main/a": "a" });
      const { workspace } = house;
      const main = house.dir.join("main");
      await makeRepository(main);
      await Deno.remove(workspace);
      await onHost(main, "git", "worktree", "add", "-q", workspace);
      const store = (await Deno.readTextFile(`${workspace}/.git`)).slice("gitdir: ".length)
        .trimEnd();
      await Deno.writeTextFile(`${workspace}/.git`, `gitdir: ${relative(workspace, store)}\n`);
      await Deno.writeTextFile(`${store}/gitdir`, `${relative(store, `${workspace}/.git`)}\n`);
      const { text } = await house.commands({
        agreesToStore: (path) => path === join(main, ".git"),
      });
      strictEqual(await text("git log --format=%s"), "first\n");
      await Deno.writeTextFile(`${store}/gitdir`, "../../../../elsewhere/.git\n");
      const { opened } = await house.commands({ agreesToStore: () => true });
      match(opened.view.warnings.join(), /does not name this workspace/);
    },
  );

  await t.step("a submodule: the same", async () => {
    await using house = await confinedHouse({ "main/": "", "lib/": "" });
    const [main, lib] = [house.dir.join("main"), house.dir.join("lib")];
    await makeRepository(main);
    await makeRepository(lib);
    const add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", lib, "sub"];
    await onHost(main, "git", ...add);
    const [workspace, store] = [join(main, "sub"), join(main, ".git/modules/sub")];
    const { text } = await house.commands({
      places: { ...house, workspace },
      agreesToStore: (path) => path === store,
    });
    const script = "git -c user.name=a -c user.email=b commit -q --allow-empty -m second";
    strictEqual(await text(script), "");
    match(await text("git config core.fsmonitor x"), /Device or resource busy|Read-only/);
    match(await onHost(workspace, "git", "log", "--format=%s"), /^second\n/);
  });

  await t.step("a repository around the workspace is found and named, HOME's apart", async () => {
    await using house = await confinedHouse({ "main/pkg/a/": "", "home/": "", "home/dots/": "" });
    const main = house.dir.join("main");
    await makeRepository(main);
    await makeRepository(house.home);
    const cases: [workspace: string, around: string | undefined][] = [
      [join(main, "pkg/a"), main],
      [main, undefined],
      [join(house.home, "dots"), undefined],
    ];
    for (const [workspace, around] of cases) {
      const { opened, text } = await house.commands({ places: { ...house, workspace } });
      strictEqual(opened.view.hiddenRepository, around, workspace);
      match(
        await text("git status"),
        around === undefined && workspace === main ? /On branch/ : /not a git repository/,
      );
    }
  });

  await t.step("a .git file that points to another project does not open it", async () => {
    await using house = await confinedHouse({ "other/secret": "x" });
    const other = house.dir.join("other");
    await makeRepository(other);
    await Deno.writeTextFile(`${house.workspace}/.git`, `gitdir: ${other}/.git\n`);
    const { text, opened } = await house.commands({ agreesToStore: () => true });
    match(opened.view.warnings.join(), /does not name this workspace/);
    match(await text("git log"), /not a git repository/);
  });
});

Deno.test({
  name: "private folders and what commands do to them (needs a view)",
  ignore,
}, async (t) => {
  await t.step("a link in place of a mount point is removed, not followed", async () => {
    await using house = await confinedHouse({ "home/src/": "", "victim/": "" });
    const workspace = join(house.home, "src", "project");
    await Deno.mkdir(workspace);
    const places = { ...house, workspace };
    const first = await house.commands({ places });
    match(await first.text("mv ~/src ~/src2; rmdir ~/src"), /cannot move[^]*failed to remove/);
    // As commands of a session could leave it that had another workspace.
    const privateSrc = join(house.state, "views", "test", "home", "src");
    await Deno.remove(privateSrc, { recursive: true });
    await Deno.symlink(house.dir.join("victim"), privateSrc);
    const second = await house.commands({ places });
    strictEqual(await second.text("echo ok"), "ok\n");
    deepStrictEqual([...Deno.readDirSync(house.dir.join("victim"))], []);
  });

  await t.step("git knows who commits, and nothing else of the user's", async () => {
    const config = '[user]\n\tname = "A \\"B\\" \\\\ C"\n\temail = a@b\n[alias]\n\tx = !secret\n';
    await using house = await confinedHouse({ "home/.gitconfig": config });
    const { text } = await house.commands();
    strictEqual(
      await text("git config --global -l"),
      'user.name=A "B" \\ C\nuser.email=a@b\n',
    );
  });
});

Deno.test({
  name: "removePrivateFolders() removes whatever commands made (needs a view)",
  ignore,
}, async () => {
  await using house = await confinedHouse({ "victim/file": "x" });
  const { run } = await house.commands();
  const script = `ln -s ${house.dir.join("victim")} ~/link
    mkdir -p ~/closed/inner /tmp/a && echo x >~/closed/inner/file && chmod 0 ~/closed/inner ~/closed
    perl -e 'chdir; for (1..5000) { mkdir(q(d)) && chdir(q(d)) or die }'`;
  strictEqual((await run(script)).exitCode, 0);
  const folders = privateFolders(house.state, "test");
  await removePrivateFolders(folders);
  deepStrictEqual([...Deno.readDirSync(join(house.state, "views"))], []);
  strictEqual(await Deno.readTextFile(house.dir.join("victim", "file")), "x");
  await removePrivateFolders(folders);
});

Deno.test({ name: "granted folders and files (needs a view)", ignore }, async () => {
  await using house = await confinedHouse({ "r/a": "a", "w/a": "a", "file": "f", "other": "o" });
  const { text } = await house.commands({
    extraRead: [house.dir.join("r"), house.dir.join("file"), house.dir.join("none")],
    extraWrite: [house.dir.join("w")],
  });
  const script = "cat ../r/a ../file; echo b >../w/a; cat ../w/a; echo x >../r/a; cat ../other";
  match(await text(script), /^afb\n[^]*r\/a: Read-only[^]*other: No such file/);
  strictEqual(await Deno.readTextFile(house.dir.join("w", "a")), "b\n");
});

Deno.test({ name: "nothing is left when the agent is killed (needs a view)", ignore }, async () => {
  await using house = await confinedHouse();
  const seconds = `3${String(Date.now()).slice(-6)}`;
  const script = `(setsid sleep ${seconds} &); sleep ${seconds} &
    until [[ $(pgrep -c -fx "sleep ${seconds}") == 2 ]]; do :; done; echo up; wait`;
  const agent = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", RUN, house.dir.path, script],
    stdout: "piped",
  }).spawn();
  const reader = agent.stdout.getReader();
  strictEqual(new TextDecoder().decode((await reader.read()).value), "up\n");
  const pids = (await onHost("/", "pgrep", "-fx", `sleep ${seconds}`)).trim().split("\n");
  strictEqual(pids.length, 2);
  agent.kill("SIGKILL");
  await agent.status;
  await reader.cancel();
  // Its end is the kernel's work: it takes a moment, and no longer than this test may.
  for (const pid of pids) while (await isAlive(Number(pid)));
});

Deno.test({ name: "the flags of the tight line are enough (needs a view)", ignore }, async () => {
  await using house = await confinedHouse();
  await makeRepository(house.workspace);
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--cached-only", "--allow-run=bwrap"],
      ...[`--allow-read=${house.state}`, `--allow-write=${house.state}`],
      ...[RUN, house.dir.path, "git log --format=%s"],
    ],
    stdout: "piped",
  }).output();
  deepStrictEqual([success, new TextDecoder().decode(stdout)], [true, "first\n"]);
});

Deno.test({
  name: "inherited descriptors do not reach commands (needs a view)",
  ignore,
}, async () => {
  await using house = await confinedHouse({ "outside/secret": "x" });
  const opened = `exec 9<"$1"; shift; exec "$@"`;
  const { stdout } = await new Deno.Command("bash", {
    args: [
      ...["-c", opened, "bash", house.dir.join("outside")],
      ...[Deno.execPath(), "run", "-A", "--cached-only", RUN, house.dir.path],
      "ls /proc/self/fd | tr '\\n' ' '; cat /proc/*/fd/9/secret",
    ],
  }).output();
  match(new TextDecoder().decode(stdout), /^0 1 2 3 cat: .*No such file/);
});

Deno.test({
  name: "programs of the workspace come before none of ours (needs a view)",
  ignore,
}, async () => {
  await using house = await confinedHouse({ "outside/": "", "ws/bin/": "" });
  const shim = `#!/bin/sh\necho shim >>"${
    house.dir.join("outside")
  }/$(basename "$0")"\necho shim\n`;
  for (const name of ["bwrap", "bash", "sh", "env", "git", "find", "socat"]) {
    await Deno.writeTextFile(`${house.workspace}/bin/${name}`, shim);
    await Deno.chmod(`${house.workspace}/bin/${name}`, 0o755);
  }
  const PATH = `${house.workspace}/bin:${house.home}/.local/bin:/usr/bin:/bin`;
  const environment = commandEnvironment({ PATH, HOME: house.home });
  const { commands } = await house.commands({ environment });
  const options = { timeoutMs: 60_000 };
  // The command itself is looked up as the user would find it; nothing before it is.
  const shimmed = await commands.run(["bash", "-c", "echo real"], options);
  deepStrictEqual([shimmed.stdout.head, shimmed.exitCode], ["shim\n", 0]);
  const real = await commands.run(["/bin/bash", "-c", "echo $PATH; ulimit -Hc"], options);
  strictEqual(real.stdout.head, `${PATH}\n0\n`);
  deepStrictEqual([...Deno.readDirSync(house.dir.join("outside"))], []);
});

Deno.test({ name: "the bash tool in a view (needs a view)", ignore }, async (t) => {
  await using house = await confinedHouse({ "ws/sub/": "", "secret": "x" });
  const { commands } = await house.commands();
  const tool = bashTool({ timeoutMs: 60_000 });
  await using jobs = new JobRegistry();
  const call = { callId: "call_1", signal: new AbortController().signal, progress() {} };
  async function text(command: string): Promise<string> {
    const value = await tool.run({ command }, { ...call, commands, jobs }, { touches: [] });
    const [content] = tool.render(value);
    return content?.type === "text" ? content.text : "";
  }

  await t.step("keeps folder, variables and functions between calls", async () => {
    await text("cd sub; a=(1 '2 3'); f() { echo \"f $1\"; }");
    strictEqual(await text('pwd; echo "${a[1]}"; f x'), `${house.workspace}/sub\n2 3\nf x`);
  });

  await t.step("takes no link for what a call left, and follows none", async () => {
    const link = `ln -sf ${house.dir.join("secret")} /cordon/shell/state.sh`;
    await text(`${link}; for f in /cordon/shell/*.cwd; do ln -sf /etc/hostname "$f"; done`);
    strictEqual(await Deno.readTextFile(house.dir.join("secret")), "x");
    strictEqual(await text("echo fine"), "fine");
  });
});

Deno.test(
  {
    name: "profile container: everything as it is, but for limits and filter (needs a view)",
    ignore,
  },
  async () => {
    await using house = await confinedHouse({ "beside": "seen" });
    const { text, run, opened } = await house.commands({ profile: "container" });
    strictEqual(await text("cat ../beside; echo new >../new"), "seen");
    strictEqual(await Deno.readTextFile(house.dir.join("new")), "new\n");
    match(await text("unshare -Ur true; ulimit -Hc"), /not permitted[^]*0\n|0\n[^]*not permitted/);
    strictEqual((await run("sleep 300 & :")).backgroundEnded, 1);
    deepStrictEqual(opened.view.shellFolder.seen, opened.view.shellFolder.host);
    const { spill } = await run("seq 100000", { spill: "a.txt" });
    strictEqual(spill?.path, join(house.session, "a.txt"));
    ok((await Deno.stat(house.session)).isDirectory);
  },
);

Deno.test({
  name:
    "profile egress: a forwarder leads to the socket, and to nothing else (needs socat and a view)",
  ignore: ignore || !await hasSocat(),
}, async () => {
  await using house = await confinedHouse();
  await askThroughForwarder(house);
});

Deno.test({
  name: "profile egress without socat: our own forwarder does it (needs a view)",
  ignore,
}, async () => {
  await using house = await confinedHouse({ "bin/": "" });
  const searchPath = house.dir.join("bin");
  for (const name of ["bwrap", "bash", "find", "cp", "mkdir", "git", "seq"]) {
    await Deno.symlink(`/usr/bin/${name}`, join(searchPath, name));
  }
  await askThroughForwarder(house, { searchPath, extraRead: [searchPath] });
});

async function askThroughForwarder(
  house: ConfinedHouse,
  options: Partial<OpenViewOptions> = {},
): Promise<void> {
  const path = join(house.state, "egress.sock");
  using listener = Deno.listen({ transport: "unix", path });
  const served = (async () => {
    using connection = await listener.accept();
    const buffer = new Uint8Array(1000);
    const length = await connection.read(buffer) ?? 0;
    await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
    return new TextDecoder().decode(buffer.subarray(0, length));
  })();
  const { run } = await house.commands({ profile: "egress", proxySocket: path, ...options });
  const script = `address=\${http_proxy#http://}
    exec 3<>"/dev/tcp/\${address%:*}/\${address#*:}" && echo asked >&3 && read -r line <&3; echo "$line"
    exec 4<>/dev/tcp/127.0.0.1/3129 || echo closed`;
  const result = await run(script);
  strictEqual(result.stdout.head, "HTTP/1.1 200 OK\r\nclosed\n");
  strictEqual(await served, "asked\n");
  strictEqual(result.backgroundEnded, 0);
}

async function hasSocat(): Promise<boolean> {
  const command = new Deno.Command("sh", { args: ["-c", "command -v socat"], stdout: "null" });
  return (await command.output()).success;
}

Deno.test({
  name:
    "a workspace on a read-only mount is read, and a person told (needs root that mounts and a view)",
  ignore: ignore || !await canMount(),
}, async () => {
  await using disk = await tinyDisk();
  await Deno.writeTextFile(disk.join("a"), "a");
  await disk.seal();
  await using house = await confinedHouse();
  const { text, opened } = await house.commands({ places: { ...house, workspace: disk.path } });
  match(await text("cat a; touch b"), /^atouch: .*Read-only/);
  match(opened.view.warnings.join(), /can only be read/);
});
