import type { WriteFiles } from "../../sandbox/files/files.ts";
import { createFiles } from "../../sandbox/files/guarded_files.ts";
import type { CallContext, Content, Pictures, Reader, Store } from "../../tools/tool.ts";
import type { Schema } from "../../tools/schema.ts";
import { type TempDir, tempDir } from "./temp_dir.ts";

/** What the tools that read and change files are handed. */
export interface FileContext extends CallContext {
  readonly files: WriteFiles;
  readonly store: Store;
  readonly pictures: Pictures;
  /** Named by tools that cannot do without a process that reads; they use `pictures`. */
  readonly reader: Reader;
}

/** A workspace with files, and beside it a session's folder in which the store keeps blobs. */
export interface FileHouse extends AsyncDisposable {
  readonly dir: TempDir;
  /** In the workspace. */
  join(...names: string[]): string;
  readonly context: FileContext;
}

/** Where nobody makes pictures of images. */
const NO_PICTURES: Pictures = {
  picture: () => Promise.resolve({ ok: false, reason: "unavailable", message: "not here" }),
};

/** Makes a workspace holding the given files. */
export async function fileHouse(
  files: Record<string, string | Uint8Array>,
  pictures = NO_PICTURES,
): Promise<FileHouse> {
  const dir = await tempDir({ "ws/": "", "session/": "" });
  for (const [name, content] of Object.entries(files)) {
    const path = dir.join("ws", name);
    await Deno.mkdir(name.endsWith("/") ? path : dir.join("ws", name, ".."), { recursive: true });
    if (typeof content !== "string") await Deno.writeFile(path, content);
    else if (!name.endsWith("/")) await Deno.writeTextFile(path, content);
  }
  const workspace = dir.join("ws");
  return {
    dir,
    join: (...names) => dir.join("ws", ...names),
    context: {
      callId: "call_1",
      signal: new AbortController().signal,
      progress() {},
      files: createFiles({
        roots: { workspace, session: dir.join("session") },
        cwd: () => workspace,
      }),
      store: {
        async save(name, bytes) {
          await Deno.writeFile(dir.join("session", name), bytes);
          return dir.join("session", name);
        },
      },
      pictures,
      reader: { read: () => Promise.reject(new Error("no document is read here")) },
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** The part of a tool that a call goes through. */
interface Callable<A, V> {
  readonly parameters: Schema<A>;
  readonly result: Schema<V>;
  run(args: A, context: FileContext, plan: { readonly touches: [] }): Promise<V>;
  render(value: V): Content[];
}

/**
 * Calls a tool as the executor does: arguments parsed, value through JSON and its own parser, and
 * answers what the log keeps and what the model reads.
 */
export async function callTool<A, V>(
  tool: Callable<A, V>,
  args: unknown,
  { context }: FileHouse,
): Promise<{ value: V; text: string }> {
  const parsed = tool.parameters.parse(args);
  if (!parsed.ok) throw new TypeError(parsed.problems.join("; "));
  const value = await tool.run(parsed.value, context, { touches: [] });
  const stored = tool.result.parse(JSON.parse(JSON.stringify(value)));
  if (!stored.ok) throw new TypeError(stored.problems.join("; "));
  const text = tool.render(stored.value)
    .map((content) => content.type === "text" ? content.text : `(${content.blob})`)
    .join("");
  return { value: stored.value, text };
}
