import { resolve } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";
import { recogniseFile } from "../../tools/file_signature.ts";
import { type Content, text } from "../../tools/tool.ts";
import { formatBytes } from "../../tools/truncate.ts";
import type { Agent } from "../agent.ts";
import { keepImage, MAX_IMAGE_BYTES } from "../attachments.ts";
import { UsageError } from "../command_line/parse.ts";
import { reasonOf } from "../session/error.ts";
import type { Desk } from "./slash/desk.ts";
import { mentionsIn } from "./mentions.ts";
import { fileBlock } from "./prompt_files.ts";

/** What the mentions of a prompt are looked up in and kept with. */
export type MentionPlace = Pick<Agent, "files" | "session" | "started">;

/** What goes with a prompt beside its own words. */
export interface PromptExtras {
  /** The part of the prompt in which mentions count: not in what was pasted, or stood in a file. */
  readonly mentioned: string;
  /** Files and images that are attached already. */
  readonly more: readonly Content[];
}

/**
 * A prompt with the files that it mentions by `@name`, taken from the workspace: all texts as one,
 * an empty line between two, images after it. What names no file is left as it stands; of a file
 * that cannot be attached `warn` is told, and `note` in one sentence of those that were.
 */
export async function promptContent(
  prompt: string,
  place: MentionPlace,
  { note, warn }: Pick<Desk, "note" | "warn">,
  { mentioned, more }: PromptExtras,
): Promise<Content[]> {
  const blocks = more.flatMap((part) => part.type === "text" ? [part.text] : []);
  const images = more.filter(({ type }) => type !== "text");
  const attached: string[] = [];
  for (const { name, longer } of mentionsIn(mentioned)) {
    try {
      const file = await firstThere([longer, name], place);
      if (!file) continue;
      if (recogniseFile(file.bytes)?.kind !== "image") {
        blocks.push(fileBlock(file.name, file.bytes));
      } else images.push(await keepImage(file.name, file.bytes, place.session.blobs));
      attached.push(`${file.name}, ${formatBytes(file.bytes.length)}`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      warn(error.message);
    }
  }
  if (attached.length > 0) note(`attached ${attached.join("; ")}`);
  return [text([prompt, ...blocks].filter((part) => part !== "").join("\n\n")), ...images];
}

async function firstThere(names: readonly string[], place: MentionPlace) {
  for (const name of new Set(names)) {
    const bytes = await readMentioned(name, place);
    if (bytes) return { name, bytes };
  }
  return undefined;
}

/** The bytes of a file; undefined where the name is that of no file. */
async function readMentioned(
  name: string,
  { files, started: { cwd } }: MentionPlace,
): Promise<Uint8Array | undefined> {
  const path = resolve(cwd, name);
  // What lies outside is the person's own business, as with `-p @file`.
  if (!isInside(path, cwd)) return await readOutside(name, path);
  const read = await files.read(path, { maxBytes: MAX_IMAGE_BYTES });
  if (read.ok) return read.bytes;
  if (read.reason === "not_a_file") return undefined;
  throw new UsageError(`Cannot attach "${name}": ${read.message}`);
}

async function readOutside(name: string, path: string): Promise<Uint8Array | undefined> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return undefined;
    if (size > MAX_IMAGE_BYTES) {
      throw new UsageError(`Cannot attach "${name}": over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
    }
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw new UsageError(`Cannot attach "${name}": ${reasonOf(error)}`);
  }
}
