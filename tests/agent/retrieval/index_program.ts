/** Indexes a workspace: `index_program.ts WORKSPACE FOLDER`; prints its progress and what came of it. */
import { createIndex } from "../../../agent/retrieval/create_index.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import { followTree } from "../../../tools/rag/follow.ts";

const [workspace = "", folder = ""] = Deno.args;
const files = createFiles({ roots: { workspace }, cwd: () => workspace });
using index = await createIndex({
  ...{ folder, workspace, redact: (text) => text, now: () => new Date() },
  sessions: { folder, workspace, current: "" },
});
const { signal } = new AbortController();
const followed = await followTree({ files, index, signal, progress: (part) => console.log(part) });
console.log(JSON.stringify(followed));
