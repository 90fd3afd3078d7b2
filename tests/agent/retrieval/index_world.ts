import { createIndex, type IndexOptions } from "../../../agent/retrieval/create_index.ts";
import { createRedaction } from "../../../agent/redaction.ts";
import type { Secret } from "../../../sandbox/redact/redact.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import type { WriteFiles } from "../../../sandbox/files/files.ts";
import type { Index } from "../../../tools/rag/index.ts";
import { ragIndex } from "../../../tools/rag_index.ts";
import { ragSearch } from "../../../tools/rag_search.ts";
import { ragStatus } from "../../../tools/rag_status.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";
import { type Outcome, runTool } from "../../helpers/tool_calls.ts";

/** A workspace, a state folder, and an index between them. */
export interface IndexWorld extends AsyncDisposable {
  readonly dir: TempDir;
  /** In the workspace. */
  join(...names: string[]): string;
  readonly files: WriteFiles;
  readonly index: Index;
  search(args: Record<string, unknown> | string): Promise<Outcome>;
  /** Where the hits of a query are, the best first. */
  places(args: Record<string, unknown> | string): Promise<string[]>;
  follow(args?: Record<string, unknown>): Promise<Outcome>;
  status(): Promise<Outcome>;
  /** Paths of the database's own file. */
  database(): Promise<string>;
  /** Another index of the same place, as another process has it. */
  another(options?: Partial<IndexOptions>): Promise<Index & Disposable>;
}

/** Opens a world whose workspace holds these files. */
export async function indexWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<IndexOptions> & { readonly secrets?: readonly Secret[] } = {},
): Promise<IndexWorld> {
  const placed = Object.entries(files).map(([name, content]) => [`ws/${name}`, content] as const);
  const dir = await tempDir({ "ws/": "", "state/sessions/": "", ...Object.fromEntries(placed) });
  const workspace = dir.join("ws");
  const folder = dir.join("state", "index");
  const redaction = createRedaction(options.secrets ?? []);
  const another = (more: Partial<IndexOptions> = {}) =>
    createIndex({
      ...{ folder, workspace, now: () => new Date("2026-01-02T03:04:05Z") },
      sessions: { folder: dir.join("state", "sessions"), workspace, current: "now" },
      redact: (text) => redaction.redact(text),
      ...options,
      ...more,
    });
  const index = await another();
  const capability = createFiles({ roots: { workspace }, cwd: () => workspace });
  const backing = { files: capability, index };
  const search: IndexWorld["search"] = (args) =>
    runTool(ragSearch, typeof args === "string" ? { query: args } : args, backing);
  return {
    ...{ dir, files: capability, index, another, search },
    join: (...names) => dir.join("ws", ...names),
    follow: (args = {}) => runTool(ragIndex, args, backing),
    status: () => runTool(ragStatus, {}, backing),
    async places(args) {
      const { value } = await search(args);
      // A cast: the tool's own schema has parsed it.
      const hits = value.hits as { source: string; path?: string; session?: string }[];
      return hits.map(({ path, session }) => path ?? `session ${session}`);
    },
    async database() {
      const names = await Array.fromAsync(Deno.readDir(folder));
      return `${folder}/${names.find(({ name }) => name.endsWith(".sqlite"))?.name}`;
    },
    async [Symbol.asyncDispose]() {
      index[Symbol.dispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
