import { dirname } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { readTextIfThere } from "../config/files.ts";
import { parseJsonFile } from "../json_file.ts";
import type { ServerSettings } from "./server_schema.ts";

/** A file that names servers, and the key that holds them. */
export interface ServerFile {
  readonly path: string;
  /** `mcp` of our own files, `mcpServers` of a `.mcp.json`. */
  readonly key: "mcp" | "mcpServers";
}

/**
 * Whether a file names a server.
 * @throws {ConfigurationError} where it cannot be read.
 */
export function hasServer({ path, key }: ServerFile, name: string): boolean {
  const text = readTextIfThere(path) ?? "";
  const value = parseJsonFile(path, text, true);
  if (typeof value !== "object" || value === null) return false;
  const servers = Object.entries(value).find(([found]) => found === key)?.[1];
  return typeof servers === "object" && servers !== null && Object.hasOwn(servers, name);
}

/**
 * Writes a server into a file, or takes it out (undefined); comments and all else stay as they are.
 * A file that is a link stays one. New ones are their owner's alone, since they may come to hold a key.
 * @throws {ConfigurationError} where the file cannot be read.
 */
export function writeServer(
  { path, key }: ServerFile,
  name: string,
  settings: ServerSettings | undefined,
): void {
  const before = readTextIfThere(path);
  // What cannot be read is not written into.
  parseJsonFile(path, before ?? "", true);
  const edits = modify(before || "{}", [key, name], settings, {
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  const after = applyEdits(before || "{}", edits).replace(/\n*$/, "\n");
  const target = before === undefined ? path : Deno.realPathSync(path);
  const mode = before === undefined ? 0o600 : (Deno.statSync(target).mode ?? 0o600) & 0o777;
  Deno.mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const draft = `${target}.${crypto.randomUUID()}`;
  Deno.writeTextFileSync(draft, after, { mode });
  Deno.renameSync(draft, target);
}
