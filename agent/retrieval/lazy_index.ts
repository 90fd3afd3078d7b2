import type { Index } from "../../tools/rag/index.ts";
import type { IndexOptions } from "./create_index.ts";
import type { EmbeddingsSettings } from "./embedder.ts";

/** What an index is made from, before any of it is loaded. */
export interface LazyIndexOptions extends Omit<IndexOptions, "embedder" | "now"> {
  readonly embeddings?: EmbeddingsSettings;
}

/** An index whose code is loaded, and whose database is opened, when it is first used. */
export function lazyIndex(options: LazyIndexOptions): Index & Disposable {
  let opening: Promise<Index & Disposable> | undefined;
  const opened = () => opening ??= load(options);
  return {
    root: options.workspace,
    update: async (work) => await (await opened()).update(work),
    followSessions: async (signal) => await (await opened()).followSessions(signal),
    search: async (query, signal) => await (await opened()).search(query, signal),
    status: async () => await (await opened()).status(),
    clear: async () => await (await opened()).clear(),
    [Symbol.dispose]() {
      // What failed was told to who asked.
      opening?.then((index) => index[Symbol.dispose](), () => {});
    },
  };
}

async function load({ embeddings, ...options }: LazyIndexOptions): Promise<Index & Disposable> {
  const { createIndex } = await import("./create_index.ts");
  const embedder = embeddings && (await import("./embedder.ts")).createEmbedder(embeddings);
  return await createIndex({ ...options, ...(embedder && { embedder }), now: () => new Date() });
}
