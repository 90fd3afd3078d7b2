import * as z from "zod";
import type { ReadFiles } from "../sandbox/files/files.ts";
import { byteSize } from "./byte_size.ts";
import { withNearestNames } from "./nearest_name.ts";
import { refusal, refusalValue, renderRefusal } from "./refusal.ts";
import { schema } from "./schema.ts";
import { found, numbered, onOneLine, spillRows, whereIs } from "./shown_part.ts";
import { defineTool, type Store, text } from "./tool.ts";

/** Entries that the model is shown; the rest is in the spilled list. */
export const MAX_LISTED = 1_000;

const entry = z.object({
  name: z.string(),
  kind: z.enum(["file", "folder", "link", "other"]),
  size: z.number(),
});

/** The entries of a folder, or the first of them. */
export const listing = z.object({
  ok: z.literal(true),
  kind: z.literal("folder"),
  path: z.string(),
  entries: z.array(entry),
  total: z.number(),
  spill: found.shape.spill,
});

export type Listing = z.infer<typeof listing>;

export const listDir = defineTool({
  name: "list_dir",
  description: "List one folder's entries with kind and size. For files in subfolders use glob.",
  parameters: schema(z.strictObject({ path: z.string().default(".") })),
  needs: { read: ["workspace"], uses: ["store"] },
  callable: true,
  plan: ({ path }) => ({ touches: [{ kind: "read", path }] }),
  async run({ path }, { files, store, callId }) {
    const listed = await listFolder(path, files, { store, name: `${callId}.txt` });
    return listed.ok ? listed : refusalValue(await withNearestNames(files, listed));
  },
  result: schema(z.union([listing, refusal])),
  render: (value) => [text(value.ok ? renderListing(value) : renderRefusal(value))],
});

/** Lists a folder, and spills the list under a name where it is long. */
export async function listFolder(
  path: string,
  files: Pick<ReadFiles, "list">,
  { store, name }: { readonly store: Store; readonly name: string },
): Promise<Listing | (Awaited<ReturnType<ReadFiles["list"]>> & { ok: false })> {
  const listed = await files.list(path);
  if (!listed.ok) return listed;
  const { entries } = listed;
  const whole: Listing = {
    ok: true,
    kind: "folder",
    path: listed.path,
    entries,
    total: entries.length,
  };
  if (entries.length <= MAX_LISTED) return whole;
  const spill = await spillRows(entries.map(describe), entries.length, { store, name });
  return { ...whole, entries: entries.slice(0, MAX_LISTED), ...spill };
}

/** A listing as the model reads it: numbered, folders with "/" at the end. */
export function renderListing({ path, entries, total, spill }: Listing): string {
  if (total === 0) return `[${path} is empty]`;
  const rows = numbered(entries.map(describe));
  if (entries.length === total) return rows;
  const where = spill ? `, ${whereIs(spill, total)}` : "";
  return `${rows}\n[${entries.length} of ${total} entries shown${where}]`;
}

function describe({ name, kind, size }: Listing["entries"][number]): string {
  const shown = onOneLine(name);
  switch (kind) {
    case "file":
      return `${shown} (${byteSize(size)})`;
    case "folder":
      return `${shown}/`;
    case "link":
      return `${shown} (link)`;
    case "other":
      return `${shown} (no regular file)`;
  }
}
