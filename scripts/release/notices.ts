/** The licences of what a binary carries, from the packages' own files. */
import { join } from "node:path";
import { ENTRY } from "../compile/contents.ts";
import { type ModuleInfo, moduleInfo } from "../compile/run_deno.ts";

/** A package in the binary, with the texts that must go along. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** The identifier of SPDX that its package.json names; empty where it names none. */
  readonly licence: string;
  /** Its files of licences and notices, in the order of their names. */
  readonly texts: readonly string[];
}

/**
 * Licences that let a binary carry the package as long as their text goes along; none of them asks
 * anything of the rest. Another one is looked at by a person before it stands here.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "PSF-2.0",
]);

/** The names of files with licences: LICENSE, licence.md, LICENSE-MIT, COPYING, NOTICE, ThirdPartyNotices.txt. */
const LICENCE_FILE = /^(licen[cs]e|copying|notice|third-?party-?notices?)(-\w+)?(\.md|\.txt)?$/i;

const DENO_LICENCE = new URL("deno_license.txt", import.meta.url);

/**
 * All that must be said about software of others in the binary, as one text.
 * @throws {Error} when a licence does not allow it, or a package brings no text
 */
export async function thirdPartyNotices(entry: string = ENTRY): Promise<string> {
  const notices = await Promise.all(packagesOf(await moduleInfo(entry)).map(readNotice));
  const deno: Notice = {
    name: "Deno",
    version: Deno.version.deno,
    licence: "MIT",
    texts: [await Deno.readTextFile(DENO_LICENCE)],
  };
  return renderNotices([deno, ...notices.map(checked)]);
}

/** The folders of every package that a module imports, or that one of these needs; each once, by name. */
export function packagesOf({ modules, npmPackages }: ModuleInfo): string[] {
  const found = new Set<string>();
  const open = modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const folder = npmPackages[key]?.localPath;
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    open.push(...npmPackages[key]?.dependencies ?? []);
  }
  return [...found].sort();
}

/** What a package in `folder` says of itself. */
export async function readNotice(folder: string): Promise<Notice> {
  // What is read of a package.json is looked at below; npm allows no package without name and version.
  const { name, version, license } = JSON.parse(
    await Deno.readTextFile(join(folder, "package.json")),
  ) as { name: string; version: string; license?: unknown };
  const files = (await Array.fromAsync(Deno.readDir(folder)))
    .filter((entry) => entry.isFile && LICENCE_FILE.test(entry.name))
    .map((entry) => join(folder, entry.name));
  return {
    name,
    version,
    licence: typeof license === "string" ? license : "",
    texts: await Promise.all(files.sort().map((path) => Deno.readTextFile(path))),
  };
}

/**
 * The notice, when the binary may carry its package.
 * @throws {Error} when it may not
 */
export function checked(notice: Notice): Notice {
  const { name, version, licence, texts } = notice;
  const why = !ALLOWED.has(licence)
    ? `its licence is "${licence}", and nobody has looked whether a binary may carry it`
    : texts.length === 0
    ? `its licence ${licence} wants its text to go along, and the package holds none`
    : undefined;
  if (why === undefined) return notice;
  throw new Error(
    `Cannot release with "${name}@${version}": ${why}; see scripts/release/notices.ts`,
  );
}

const INTRODUCTION =
  `Cordon's binary carries software of others, under the licences below. What Deno itself is made of, V8
among it, is listed at https://github.com/denoland/deno
`;

/** The notices as a text for people. Pure. */
export function renderNotices(notices: readonly Notice[]): string {
  const parts = notices.map(({ name, version, licence, texts }) =>
    [`${"=".repeat(80)}\n${name} ${version} (${licence})\n${"=".repeat(80)}`, ...texts.map(tidy)]
      .join("\n\n")
  );
  return `${[INTRODUCTION.trimEnd(), ...parts].join("\n\n")}\n`;
}

/** With the line ends of all, and none before or after. */
function tidy(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^\n+|\s+$/g, "");
}
