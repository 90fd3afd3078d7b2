/**
 * Names for the parts of a bundle. The bundler puts a hash of paths of this machine into them; a hash
 * of what the parts say is the same wherever they are built. Pure.
 */
import { createHash } from "node:crypto";
import type { ArchiveFile } from "./archive.ts";

/** A part as the bundler names it, `html-JDG5CWN4.js`, and what it is called in there. */
const PART = /^(.+)-[A-Z0-9]{8}\.js$/;

/** Where a file of the bundle names another one. */
const REFERENCE = /"\.\/([^"/]+\.js)"/g;

/** Enough that two parts which are called alike get two names. */
const HASH_DIGITS = 12;

/** New names by those of the bundler. */
type Names = ReadonlyMap<string, string>;

/** The files, with parts named by what they say and import, in the order of their names. */
export function namedByContent(files: readonly ArchiveFile[]): ArchiveFile[] {
  const texts = files.map(({ name, content }) =>
    [name, new TextDecoder().decode(content)] as const
  );
  const parts = texts.filter(([name]) => PART.test(name));
  const names = stableNames(new Map(parts));
  // Parts that get one name are the same to the last byte, and so are those that they import.
  const renamed = new Map(
    texts.map(([name, text]) => [names.get(name) ?? name, withNames(text, names)]),
  );
  return [...renamed]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, text]) => ({ name, content: new TextEncoder().encode(text) }));
}

/**
 * A part's text holds names of others, which may hold its own: so each is told by its words alone at
 * first, and then by the names that the others have got, as long as that tells more of them apart.
 */
function stableNames(parts: ReadonlyMap<string, string>): Names {
  let names: Names = new Map([...parts.keys()].map((name) => [name, called(name)]));
  for (let known = 0; new Set(names.values()).size > known;) {
    known = new Set(names.values()).size;
    const last = names;
    names = new Map(
      [...parts].map(([name, text]) => [name, `${called(name)}-${hash(withNames(text, last))}.js`]),
    );
  }
  return names;
}

function called(name: string): string {
  return name.replace(PART, "$1");
}

function withNames(text: string, names: Names): string {
  return text.replaceAll(REFERENCE, (literal, name: string) => {
    const other = names.get(name);
    return other === undefined ? literal : `"./${other}"`;
  });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
}
