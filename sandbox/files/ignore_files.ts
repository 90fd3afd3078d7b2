import type { Ignore } from "ignore";
import { join } from "node:path";
import { openChecked } from "./checked_open.ts";
import { contentOf } from "./content.ts";

/** Ignore files of one folder in rising order of weight; all use the syntax of gitignore(5). */
const IGNORE_FILES = [".gitignore", ".ignore", ".cordonignore"];

/** Longer ignore files are left unread, in bytes. */
const MAX_IGNORE_BYTES = 1024 * 1024;

/** The rules that hold in a folder: its own, and those of the folders above it. */
export interface IgnoreRules {
  /** The folder's path, relative to where the rules begin; "" there. */
  readonly folder: string;
  readonly own: Ignore | undefined;
  readonly above: IgnoreRules | undefined;
}

/** The rules in `folder` (really at `real`), whose ignore files are among `names`. */
export async function readRules(
  real: string,
  folder: string,
  names: ReadonlySet<string>,
  above: IgnoreRules | undefined,
): Promise<IgnoreRules> {
  const texts: string[] = [];
  for (const name of IGNORE_FILES) if (names.has(name)) texts.push(await textOf(join(real, name)));
  const own = texts.length > 0 ? await matcherOf(texts.join("\n")) : undefined;
  return { folder, own, above };
}

/** Loaded where there are rules: the package asks Node for the platform, which costs a start 6 ms. */
async function matcherOf(text: string): Promise<Ignore> {
  const { default: ignore } = await import("ignore");
  return ignore({ ignorecase: false }).add(text);
}

/** Whether a path is hidden by the nearest rule about it; a folder's path ends in "/". */
export function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
  for (let level = rules; level; level = level.above) {
    if (!level.own) continue;
    const below = level.folder === "" ? path : path.slice(level.folder.length + 1);
    const { ignored, unignored } = level.own.test(below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Empty for what is no regular file, as a link: git reads no rules through links either. */
async function textOf(real: string): Promise<string> {
  const place = { given: real, shown: real, absolute: real, real };
  const opened = await openChecked(place, "read");
  if (!opened.ok) return "";
  await using file = opened.file;
  const content = await contentOf(place, file, MAX_IGNORE_BYTES);
  return content.ok ? new TextDecoder().decode(content.bytes) : "";
}
