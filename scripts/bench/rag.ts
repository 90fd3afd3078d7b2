import { join } from "node:path";
import { createIndex } from "../../agent/retrieval/create_index.ts";
import { createCellFiles } from "../../sandbox/cell/client.ts";
import { startCell } from "../../sandbox/cell/confined.ts";
import { cellProgram } from "../../sandbox/cell/program.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { createFiles } from "../../sandbox/files/guarded_files.ts";
import type { ReadFiles } from "../../sandbox/files/files.ts";
import { openView } from "../../sandbox/view/open_view.ts";
import { followTree } from "../../tools/rag/follow.ts";
import type { Index } from "../../tools/rag/index.ts";
import { createRedaction } from "../../agent/redaction.ts";
import { type TreeSize, writeTree } from "./rag_tree.ts";
import { markdownTable, type Row, spreadOf } from "./statistics.ts";

/** 500 MB. */
const TREE: TreeSize = { files: 50_000, bytes: 10_000 };

const QUERIES = [
  "needle4700",
  "loLofoxo",
  "lo pehadi",
  "return",
  "全文检索",
  "vegukifo pedi return lo",
  "zufo bavedi const",
  "qixop",
];

const signal = new AbortController().signal;

/** Measures an index of a generated tree, whose files are read as they are in a run. */
export async function benchRag(size: TreeSize = TREE): Promise<Row[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cordon-bench-" }));
  try {
    const workspace = join(folder, "ws");
    await Deno.mkdir(workspace);
    await Deno.mkdir(join(folder, "state"));
    await writeTree(workspace, size);
    await using files = await openFiles(folder, workspace);
    const redaction = createRedaction([]);
    using index = await createIndex({
      ...{ folder: join(folder, "state", "index"), workspace },
      sessions: { folder: join(folder, "state"), workspace, current: "" },
      redact: (text) => redaction.redact(text),
      now: () => new Date(),
    });
    return await measure(files, index, size);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Through a cell in the view, where this machine has one. */
async function openFiles(folder: string, workspace: string): Promise<ReadFiles & AsyncDisposable> {
  const environment = commandEnvironment({ PATH: Deno.env.get("PATH") ?? "" });
  const places = { workspace, state: join(folder, "state") };
  const opened = await openView({ profile: "workspace", places, session: "bench", environment });
  const roots = { workspace };
  const cwd = () => workspace;
  if (!opened.ok) return { ...createFiles({ roots, cwd }), async [Symbol.asyncDispose]() {} };
  const { view, filter } = opened;
  const cache = join(folder, "cache");
  await Deno.mkdir(cache);
  const start = { view, filter, program: cellProgram(), roots, ripgrep: false, cache };
  return createCellFiles({ spawn: () => startCell(start), roots, cwd });
}

async function measure(files: ReadFiles, index: Index, size: TreeSize): Promise<Row[]> {
  let peakMb = 0;
  const progress = () => peakMb = Math.max(peakMb, Deno.memoryUsage().rss / 2 ** 20);
  const follow = () => followTree({ files, index, signal, progress });
  const first = await timed(follow);
  const updates: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 10; n++) await change(index.root, (n * 977 + round) % size.files);
    updates.push(await timed(follow));
  }
  const queries: number[] = [];
  for (const text of [...QUERIES, ...QUERIES]) {
    queries.push(await timed(() => index.search({ text, limit: 8, sessions: false }, signal)));
  }
  progress();
  const { bytes, chunks } = await index.status();
  const row = (what: string, unit: string, values: number[], mark = ""): Row => ({
    what: `rag, ${size.files} files: ${what}`,
    ...{ unit, spread: spreadOf(values), mark },
  });
  return [
    row("first index", "s", [first / 1000], "under 90 s"),
    row("update after ten changes", "ms", updates, "under 1000 ms"),
    row("query", "ms", queries, "under 50 ms"),
    row("peak memory (RSS)", "MB", [peakMb], "under 300 MB"),
    row("index on the disk", "MB", [bytes / 2 ** 20]),
    row("chunks", "", [chunks]),
  ];
}

async function change(root: string, number: number): Promise<void> {
  const area = join(`part${Math.floor(number / 900)}`, `area${Math.floor(number / 30) % 30}`);
  const name = `file${number}.${number % 10 === 0 ? "md" : "ts"}`;
  await Deno.writeTextFile(join(root, area, name), "\n// changed\n", { append: true });
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

if (import.meta.main) console.log(markdownTable(await benchRag()));
