import { join } from "node:path";
import { createConfinedCommands } from "../../sandbox/view/confined_commands.ts";
import { confinedStateFolder } from "../../sandbox/view/confined_shell_folder.ts";
import type { Commands } from "../../sandbox/commands/commands.ts";
import { commandEnvironment, type Environment } from "../../sandbox/commands/environment.ts";
import { openView } from "../../sandbox/view/open_view.ts";
import { createShell } from "../../sandbox/commands/shell.ts";
import { readerFor } from "../../agent/reader/reader_for.ts";
import { benchPython } from "./python.ts";
import { benchReader } from "./reader.ts";
import { markdownTable, type Row, spreadOf } from "./statistics.ts";

const RUNS = 50;
const KILLS = 20;
const SCRIPT: readonly [string, ...string[]] = ["bash", "--noprofile", "--norc", "-c", "true"];
const LIMIT_MS = 60_000;

/** Measures what the kernel view costs a command, and how fast it ends one; none where it cannot be. */
export async function benchConfinement(): Promise<Row[]> {
  const house = await Deno.realPath(await Deno.makeTempDir({ prefix: "cordon-bench-" }));
  try {
    const at = (name: string) => join(house, name);
    const places = { workspace: at("ws"), state: at("state"), home: at("home") };
    for (const folder of Object.values(places)) await Deno.mkdir(folder);
    const PATH = "/usr/local/bin:/usr/bin:/bin";
    const environment = commandEnvironment({ PATH, HOME: places.home });
    const open = () => openView({ profile: "workspace", places, session: "bench", environment });
    const opened = await open();
    if (!opened.ok) return [];
    const folder = confinedStateFolder(opened.view.shellFolder);
    const shell = createShell({ workspace: opened.view.workspace, state: folder });
    const watched = [places.workspace];
    await using commands = createConfinedCommands({ ...opened, shell, watched });
    return [
      ...await overheadRows(commands, environment, open),
      await jobRow(commands),
      ...await benchPython(commands),
      ...await benchReader(readerFor(environment, opened)),
      await killRow(commands),
    ];
  } finally {
    await Deno.remove(house, { recursive: true });
  }
}

/** Interleaved, so that what else the machine does meets all alike. */
async function overheadRows(
  commands: Commands,
  environment: Environment,
  open: () => Promise<unknown>,
): Promise<Row[]> {
  const times = { plain: [] as number[], confined: [] as number[], open: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.plain.push(await timed(() => runPlain(environment)));
    times.confined.push(await timed(() => commands.run(SCRIPT, { timeoutMs: LIMIT_MS })));
    if (run < KILLS) times.open.push(await timed(open));
  }
  // Run by run, since both met the same load.
  const over = times.confined.map((ms, run) => ms - (times.plain[run] ?? 0));
  return [
    row("plain bash", times.plain),
    row("confined bash", times.confined),
    row("confined over plain", over, "7 ms"),
    row("opening a view", times.open),
  ];
}

function row(what: string, times: readonly number[], mark = ""): Row {
  return { what, unit: "ms", spread: spreadOf(times), mark };
}

async function runPlain(environment: Environment): Promise<void> {
  const [program, ...args] = SCRIPT;
  const child = new Deno.Command(program, {
    args,
    clearEnv: true,
    env: { ...environment },
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel()]);
}

/** From the call to a job that runs: its confinement stands, and it can be looked at. */
async function jobRow(commands: Commands): Promise<Row> {
  const times: number[] = [];
  const script = ["bash", "--noprofile", "--norc", "-c", "read -t 600 <><(:)"] as const;
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    const running = await commands.start(script, {});
    times.push(performance.now() - started);
    await running.stop(0);
  }
  return row("job start, confined", times, "12 ms");
}

/** From the abort to a process table that holds nothing of the command. */
async function killRow(commands: Commands): Promise<Row> {
  const times: number[] = [];
  for (let run = 0; run < KILLS; run++) {
    const seconds = `${40_000_000 + run}`;
    const script =
      `for n in 1 2 3; do (setsid sleep ${seconds} &); done; echo up; sleep ${seconds}`;
    const stop = new AbortController();
    let started = 0;
    await commands.run(["bash", "-c", script], {
      timeoutMs: LIMIT_MS,
      signal: stop.signal,
      onOutput() {
        started = performance.now();
        stop.abort();
      },
    });
    while (runsSleep(seconds));
    times.push(performance.now() - started);
  }
  return row("kill to empty process table", times, "50 ms");
}

function runsSleep(seconds: string): boolean {
  return [...Deno.readDirSync("/proc")].some(({ name }) =>
    /^\d+$/.test(name) && readIfThere(`/proc/${name}/cmdline`) === `sleep\0${seconds}\0`
  );
}

function readIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    // It has ended, or is not ours to look at.
    return "";
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (import.meta.main) console.log(markdownTable(await benchConfinement()));
