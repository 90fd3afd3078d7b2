import { createHash } from "node:crypto";

/** Model servers take names of functions up to this length (OpenAI's and others' API). */
export const MAX_NAME = 64;

/** Every foreign tool's name begins so, and no other's. */
export const FOREIGN_PREFIX = "mcp__";

/** Characters of the digest that tells names apart which were cut or are written alike. */
const DIGEST_CHARS = 8;

/** The name by which a model calls a server's tool: `mcp__server__tool`, of at most 64 characters. */
export function foreignName(server: string, tool: string): string {
  const name = `${FOREIGN_PREFIX}${plain(server)}__${plain(tool)}`;
  return name.length <= MAX_NAME ? name : withDigest(name, server, tool);
}

/** The same where that name is another's already; undefined where that is taken, too. */
export function nameApart(
  server: string,
  tool: string,
  taken: ReadonlySet<string>,
): string | undefined {
  const name = foreignName(server, tool);
  return [name, withDigest(name, server, tool)].find((wish) => !taken.has(wish));
}

/** A name of which only the letters, digits, `_` and `-` are left. */
export function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "_";
}

function withDigest(name: string, server: string, tool: string): string {
  const digest = createHash("sha256").update(JSON.stringify([server, tool])).digest("hex");
  return `${name.slice(0, MAX_NAME - DIGEST_CHARS - 1)}_${digest.slice(0, DIGEST_CHARS)}`;
}
