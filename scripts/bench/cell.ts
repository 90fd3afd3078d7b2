import { join } from "node:path";
import { createCellFiles } from "../../sandbox/cell/client.ts";
import { startCell } from "../../sandbox/cell/confined.ts";
import { CELL_BUNDLE, type CellProgram, cellProgram } from "../../sandbox/cell/program.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { type OpenedView, openView } from "../../sandbox/view/open_view.ts";
import type { PipedProcess } from "../../sandbox/commands/piped_process.ts";
import { bundleProcess } from "../compile/bundle.ts";
import { PROCESSES } from "../compile/contents.ts";
import { watchTree } from "./process_tree.ts";
import { markdownTable, type Row, spreadOf } from "./statistics.ts";

/** Starts of each program; the first, on an empty cache, is not counted. */
const STARTS = 9;

/** Requests to each started cell. */
const REQUESTS = 100;

/** Of the file that is read and edited, in bytes. */
const FILE_BYTES = 20_000;

/** Measures cells in the kernel view, from source and bundled; no rows where there is no view. */
export async function benchCell(): Promise<Row[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cordon-bench-" }));
  try {
    const places = { workspace: join(folder, "ws"), state: join(folder, "state") };
    for (const place of Object.values(places)) await Deno.mkdir(place);
    await Deno.writeFile(join(places.workspace, "a"), new Uint8Array(FILE_BYTES).fill(97));
    const environment = commandEnvironment({ PATH: Deno.env.get("PATH") ?? "" });
    const view = await openView({ profile: "workspace", places, session: "bench", environment });
    if (!view.ok) return [];
    const programs = [["source", cellProgram()], ["bundle", await bundled(folder)]] as const;
    const rows: Row[] = [];
    for (const [name, program] of programs) {
      const cache = await Deno.makeTempDir({ dir: folder });
      rows.push(...await benchProgram(name, { ...places, view, program, cache }));
    }
    return rows;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function bundled(folder: string): Promise<CellProgram> {
  const path = join(folder, CELL_BUNDLE);
  const { content } = await bundleProcess(CELL_BUNDLE, PROCESSES[CELL_BUNDLE] ?? "");
  await Deno.writeFile(path, content);
  return {
    form: "module",
    executable: Deno.execPath(),
    parts: { [CELL_BUNDLE]: path },
    entry: CELL_BUNDLE,
  };
}

interface Bench {
  readonly workspace: string;
  readonly view: Extract<OpenedView, { ok: true }>;
  readonly program: CellProgram;
  readonly cache: string;
}

async function benchProgram(name: string, bench: Bench): Promise<Row[]> {
  await measureStart(bench);
  const runs = [];
  for (let i = 0; i < STARTS; i++) runs.push(await measureStart(bench));
  const row = (what: string, unit: string, values: number[], mark = ""): Row => ({
    what: `cell from ${name}: ${what}`,
    unit,
    spread: spreadOf(values),
    mark,
  });
  return [
    row("start to first answer", "ms", runs.map((run) => run.startMs)),
    row("a read of 20 KB", "ms", runs.flatMap((run) => run.reads), "under 1 ms"),
    row("an edit of 20 KB", "ms", runs.flatMap((run) => run.edits)),
    row("memory (PSS)", "MB", runs.map((run) => run.pssMb)),
  ];
}

async function measureStart({ workspace, view, program, cache }: Bench) {
  const roots = { workspace };
  const start = { view: view.view, filter: view.filter, program, roots, ripgrep: false, cache };
  let process: PipedProcess | undefined;
  await using files = createCellFiles({
    spawn: () => process = startCell(start),
    roots,
    cwd: () => workspace,
  });
  const startMs = await timed(() => files.read("a"));
  const reads = await repeated(() => files.read("a"));
  const edits = await repeated(async () => {
    const read = await files.read("a");
    if (!read.ok) throw new Error(read.message);
    const bytes = new TextEncoder().encode("b");
    await files.replace("a", read.version, [{ start: 1, end: 2, bytes }]);
  });
  const watch = watchTree(process?.pid ?? 0);
  const { pssMb } = watch.now();
  watch.stop();
  return { startMs, reads, edits, pssMb };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

async function repeated(run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) times.push(await timed(run));
  return times;
}

if (import.meta.main) console.log(markdownTable(await benchCell()));
