import * as z from "zod";
import { followTree } from "./rag/follow.ts";
import { wantedPaths } from "./rag/wanted_paths.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

const followed = z.object({
  state: z.enum(["updated", "busy"]),
  rebuilt: z.boolean(),
  read: z.number(),
  dropped: z.number(),
  stopped: z.boolean(),
});

/** The tool `rag_index`: brings the index up to the files now, or makes it anew. */
export const ragIndex = defineTool({
  name: "rag_index",
  description: "Bring the index of rag_search up to the files, which each search does, too. " +
    "rebuild makes it anew.",
  parameters: schema(z.strictObject({
    paths: z.array(z.string()).min(1).describe(
      "Folders, or globs as src/*.ts; default all",
    ).optional(),
    rebuild: z.boolean().optional(),
  })),
  needs: { read: ["workspace"], uses: ["index"] },
  callable: true,
  plan: () => ({ touches: [{ kind: "read", path: "." }] }),
  async run({ paths, rebuild = false }, { files, index, signal, progress }) {
    const rebuilt = rebuild && await index.clear() === "updated";
    const globs = paths?.map((path) => wantedPaths(path, index.root));
    const isWanted = globs && ((path: string) => globs.some((matches) => matches(path)));
    const parts = { files, index, signal, progress, ...(isWanted && { isWanted }) };
    return { ...await followTree(parts), rebuilt };
  },
  result: schema(followed),
  render: (value) => [text(render(value))],
});

function render({ state, rebuilt, read, dropped, stopped }: z.infer<typeof followed>): string {
  if (state === "busy") return "[not updated: another process updates the index, try again later]";
  return [
    `${rebuilt ? "Index made anew" : "Index updated"}: ${read} files read, ${dropped} gone`,
    ...(stopped ? ["[the tree has more files than are looked at]"] : []),
  ].join("\n");
}
