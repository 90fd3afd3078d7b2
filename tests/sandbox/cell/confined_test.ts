import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { ROOT } from "../../../scripts/compile/contents.ts";
import { cellView, createConfinedFiles } from "../../../sandbox/cell/confined.ts";
import { cellProgram } from "../../../sandbox/cell/program.ts";
import { confinedArguments, startConfined } from "../../../sandbox/view/confined_process.ts";
import type { OpenedView, OpenViewOptions } from "../../../sandbox/view/open_view.ts";
import { startPiped } from "../../../sandbox/commands/piped_process.ts";
import { VIEW_PLACES } from "../../../sandbox/view/view_places.ts";
import { canConfine, type ConfinedHouse, confinedHouse } from "../../helpers/confined.ts";
import { gone, processesWith } from "../../helpers/processes.ts";

const ignore = !await canConfine();

type Opened = Extract<OpenedView, { ok: true }>;

/** A workspace with a repository, a spill file, and what lies outside. */
function cellsHouse(): Promise<ConfinedHouse> {
  return confinedHouse({
    "ws/a": "one",
    "ws/.git/hooks/pre-commit.sample": "x",
    "ws/.git/config": "x",
    "state/session/spill": "spilled",
    "outside/b": "x",
  });
}

async function open(house: ConfinedHouse, options?: Partial<OpenViewOptions>): Promise<Opened> {
  const opened = await house.open({ programs: ["rg"], ...options });
  if (!opened.ok) throw new Error(opened.reason);
  return opened;
}

function filesIn(
  house: ConfinedHouse,
  { view, filter, programs }: Opened,
  extraRead: string[] = [],
) {
  const { workspace, state } = house;
  return createConfinedFiles({
    view,
    filter,
    roots: { workspace, session: VIEW_PLACES.out, extraRead },
    ripgrep: programs.includes("rg"),
    cwd: () => workspace,
    state,
  });
}

Deno.test({
  name: "a confined cell serves the workspace and what is spilled (needs a view)",
  ignore,
}, async () => {
  await using house = await cellsHouse();
  await using files = filesIn(house, await open(house));
  const read = await files.read("a");
  ok(read.ok);
  const bytes = new TextEncoder().encode("1");
  const answers = [
    await files.replace("a", read.version, [{ start: 0, end: 1, bytes }]),
    await files.create("new/b", bytes),
    await files.read("/cordon/out/spill"),
    await files.search({ path: ".", pattern: "1", limit: 9 }),
    await files.create("/cordon/out/x", bytes),
    await files.read(house.dir.join("outside/b")),
  ];
  deepStrictEqual(answers.map((answer) => answer.ok || answer.reason), [
    ...[true, true, true, true],
    ...["denied", "denied"],
  ]);
  deepStrictEqual(await Deno.readTextFile(house.dir.join("ws/a")), "1ne");
  deepStrictEqual(await Deno.readTextFile(house.dir.join("ws/new/b")), "1");
});

Deno.test(
  "what the view does not show is not there, whatever the guard thinks (needs a view)",
  { ignore },
  async () => {
    await using house = await cellsHouse();
    await using files = filesIn(house, await open(house), ["/"]);
    const paths = [house.dir.join("outside/b"), house.home, house.dir.join("state/session/spill")];
    const answers = await Promise.all(paths.map((path) => files.read(path)));
    deepStrictEqual(answers.map((answer) => answer.ok || answer.message), [
      `${paths[0]} is not there`,
      `${paths[1]} is a folder, not a file`,
      `${paths[2]} is not there`,
    ]);
    const home = await files.list(house.home);
    deepStrictEqual(home.ok && home.entries, []);
  },
);

Deno.test(
  "git's hooks and configuration cannot be written, the rest of .git can (needs a view)",
  { ignore },
  async () => {
    await using house = await cellsHouse();
    await using files = filesIn(house, await open(house));
    const bytes = new TextEncoder().encode("x");
    await rejects(files.create(".git/hooks/pre-commit", bytes), /Read-only file system/);
    deepStrictEqual((await files.create(".git/description", bytes)).ok, true);
  },
);

Deno.test("in profile plan nothing is written (needs a view)", { ignore }, async () => {
  await using house = await cellsHouse();
  await using files = filesIn(house, await open(house, { profile: "plan" }));
  const created = await files.create("b", new Uint8Array());
  deepStrictEqual([created.ok || created.reason, (await files.read("a")).ok], ["denied", true]);
});

Deno.test({
  name:
    "a confined process has its own processes, no network and no descriptor of ours (needs a view)",
  ignore,
}, async () => {
  await using house = await cellsHouse();
  const { view, filter } = await open(house);
  const script = `
    ls /proc/self/fd | wc -l
    cat /proc/1/comm
    ls /proc | grep -c '^[0-9]'
    cat /proc/net/dev | grep -c :
    grep Seccomp: /proc/self/status
    cat
  `;
  const argv = confinedArguments(view, filter, ["bash", "-c", script]);
  // As if whoever started Cordon had left a descriptor open.
  const leaking = 'exec 7<"$1" 8<"$1"; shift; exec "$@"';
  const process = startPiped(["bash", "-c", leaking, "bash", house.home, ...argv], {
    environment: view.environment,
  });
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode("heard"));
  await writer.close();
  const output = await new Response(process.stdout).text();
  await process.stderr.cancel();
  const [descriptors, first, processes, interfaces, seccomp, heard] = output.split("\n");
  deepStrictEqual([descriptors, first, interfaces, seccomp, heard, (await process.status).code], [
    // Three, and that of the folder which ls reads.
    ...["4", "bwrap", "1", "Seccomp:\t2", "heard"],
    0,
  ]);
  ok(Number(processes) < 8, processes);
});

Deno.test("killing it ends all that it started (needs a view)", { ignore }, async () => {
  await using house = await cellsHouse();
  const { view, filter } = await open(house);
  const script = "setsid sleep 1000 & sleep 1000 & echo started; wait";
  const process = startConfined(view, filter, ["bash", "-c", script]);
  const reader = process.stdout.getReader();
  await reader.read();
  const inside = await descendants(process.pid);
  ok(inside.length >= 5);
  process.kill();
  await process.status;
  await gone(inside);
  await Promise.all([reader.cancel(), process.stderr.cancel(), process.stdin.abort()]);
});

Deno.test("nothing in a view outlives who started it (needs a view)", { ignore }, async () => {
  await using house = await cellsHouse();
  const { view, filter } = await open(house);
  const script = "setsid sleep 1000 & echo started; sleep 1000";
  const argv = confinedArguments(view, filter, ["bash", "-c", script]);
  const parent = startPiped(["bash", "-c", '"$@" & wait', "bash", ...argv], {
    environment: view.environment,
  });
  const reader = parent.stdout.getReader();
  await reader.read();
  const inside = await descendants(parent.pid);
  ok(inside.length >= 5);
  Deno.kill(parent.pid, "SIGKILL");
  await gone(inside);
  await Promise.all([reader.cancel(), parent.stderr.cancel(), parent.stdin.abort()]);
});

async function descendants(pid: number): Promise<number[]> {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = (await Deno.readTextFile(path)).split(" ").filter((id) => id !== "").map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

Deno.test({
  name: "a view that cannot be built fails with bubblewrap's own words (needs a view)",
  ignore,
}, async () => {
  await using house = await cellsHouse();
  const opened = await open(house);
  await Deno.remove(house.workspace, { recursive: true });
  await using files = filesIn(house, opened);
  await rejects(files.list("."), /^Error: Cannot list "\.": the cell did not start, .*bwrap: /s);
});

Deno.test(
  "a warden needs bubblewrap and its state folder for it, and nothing else (needs a view)",
  { ignore },
  async () => {
    await using house = await cellsHouse();
    const { workspace, state } = house;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-prompt", "--cached-only", "--frozen", "--allow-run=bwrap"],
        ...[`--allow-read=${state}`, `--allow-write=${state}`],
        ...[`${ROOT}tests/fixtures/cell/main.ts`, workspace, state],
      ],
      cwd: ROOT,
      env: { DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    const [said, complaint] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    deepStrictEqual([said, complaint], [
      "module sandbox,node_modules/ignore,node_modules/picomatch one\n",
      "",
    ]);
  },
);

Deno.test(
  "cellView() is that of commands without network, with the program (needs a view)",
  { ignore },
  async () => {
    await using house = await cellsHouse();
    const { view } = await open(house);
    const cell = cellView({ ...view, hostNetwork: true }, cellProgram(), "/cache");
    const targets = (mounts: typeof view.mounts) =>
      mounts.flatMap((mount) => mount.kind === "bind" ? [mount.target] : []);
    const added = targets(cell.mounts).filter((target) => !targets(view.mounts).includes(target));
    const missing = targets(view.mounts).filter((target) => !targets(cell.mounts).includes(target));
    deepStrictEqual({ added, missing, network: cell.hostNetwork, last: cell.mounts.at(-1) }, {
      added: [
        "/cordon/cell/executable",
        "/cordon/cell/program/sandbox",
        "/cordon/cell/program/node_modules/ignore",
        "/cordon/cell/program/node_modules/picomatch",
        "/cordon/cell/cache",
      ],
      missing: ["/cordon/shell"],
      network: false,
      last: { kind: "seal", target: "/" },
    });
  },
);

Deno.test({
  name: "a cell that is ended while it comes up leaves nothing behind (needs a view)",
  ignore,
}, async () => {
  await using house = await cellsHouse();
  const opened = await open(house);
  // Each is ended somewhere else on its way.
  for (let turn = 0; turn < 60; turn++) {
    await using files = filesIn(house, opened);
    const read = files.read("a").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, turn));
    await files[Symbol.asyncDispose]();
    await read;
  }
  await gone(await processesWith(house.workspace));
});
