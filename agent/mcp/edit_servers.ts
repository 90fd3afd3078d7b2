import { dirname } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { readTextIfThere } from "../config/files.ts";
import { ConfigurationError, parseJsonFile } from "../json_file.ts";
import type { ServerSettings } from "./server_schema.ts";

/** A file that names servers, and the key that holds them. */
export interface ServerFile {
  readonly path: string;
  /** `mcp` of our own files, `mcpServers` of a `.mcp.json`. */
  readonly key: "mcp" | "mcpServers";
}

/**
 * Whether a file names a server.
 * @throws {ConfigurationError} where it cannot be read, or has no place for servers.
 */
export function hasServer(file: ServerFile, name: string): boolean {
  return Object.hasOwn(serversIn(file, readTextIfThere(file.path)), name);
}

/**
 * Writes a server into a file, or takes it out (undefined); comments and all else stay as they are.
 * A file that is a link stays one. New ones are their owner's alone, since they may come to hold a key.
 * @throws {ConfigurationError} where the file cannot be read, or has no place for servers.
 */
export function writeServer(
  file: ServerFile,
  name: string,
  settings: ServerSettings | undefined,
): void {
  const { path, key } = file;
  const before = readTextIfThere(path);
  // What cannot be read is not written into.
  serversIn(file, before);
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

/** The servers that a text names; none where it is empty, or has no word of any. */
function serversIn({ path, key }: ServerFile, text = ""): object {
  const value = parseJsonFile(path, text, true);
  if (value === undefined) return {};
  if (!isObject(value)) throw new ConfigurationError(`Cannot use "${path}": it is no object`);
  const servers = Object.entries(value).find(([found]) => found === key)?.[1];
  if (servers === undefined) return {};
  if (isObject(servers)) return servers;
  throw new ConfigurationError(`Cannot use "${path}": its "${key}" is no object`);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
