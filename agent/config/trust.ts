import { join, relative } from "node:path";
import * as z from "zod";
import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import { replaceJsonFile } from "../json_file.ts";
import { recordOf } from "../worktrees/record.ts";

/** A person's word on a folder. */
const decision = z.object({
  trusted: z.boolean(),
  /** The project's files as they stood: texts by path. */
  files: z.record(z.string(), z.string()),
});

const trustFile = z.object({ folders: z.record(z.string(), decision) });

/** The texts of a project's files, by their paths. */
export type ProjectTexts = Readonly<Record<string, string>>;

/** What a person has said of a folder: nothing yet, or of files that have changed since. */
export type Trust = "trusted" | "refused" | "unasked";

/**
 * What was said of a folder; of a worktree of ours, what was said of the folder that it is a copy of.
 * Files that have changed since are unasked again: whoever can write in the folder could otherwise
 * name a server that the key is sent to.
 */
export function trustOf(
  state: string | undefined,
  folder: string,
  files: ProjectTexts,
): Trust {
  if (state === undefined) return "unasked";
  const origin = recordOf(state, folder)?.workspace;
  const said = readTrust(state)[origin ?? folder];
  const texts = origin === undefined ? files : movedTexts(files, folder, origin);
  if (said === undefined || !areSame(said.files, texts)) return "unasked";
  return said.trusted ? "trusted" : "refused";
}

/** The same texts, as if they lay in another folder. */
function movedTexts(files: ProjectTexts, from: string, to: string): ProjectTexts {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [join(to, relative(from, path)), text]),
  );
}

/** Keeps what a person said of a folder, by its real path; undefined takes it back. */
export function keepTrust(
  state: string,
  folder: string,
  said: { readonly trusted: boolean; readonly files: ProjectTexts } | undefined,
): void {
  const folders = { ...readTrust(state) };
  if (said === undefined) delete folders[folder];
  else folders[folder] = said;
  Deno.mkdirSync(state, { recursive: true, mode: 0o700 });
  replaceJsonFile(fileIn(state), { folders });
}

function areSame(a: ProjectTexts, b: ProjectTexts): boolean {
  const paths = Object.keys(a);
  return paths.length === Object.keys(b).length &&
    paths.every((path) => Object.hasOwn(b, path) && a[path] === b[path]);
}

function readTrust(state: string): Readonly<Record<string, z.infer<typeof decision>>> {
  try {
    return trustFile.parse(JSON.parse(Deno.readTextFileSync(fileIn(state)))).folders;
  } catch (error) {
    // A file that cannot be read or understood says nothing, and so trusts nothing.
    if (isOfSystem(error)) return {};
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}

function fileIn(state: string): string {
  return join(state, "trust.json");
}
