import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { z } from "zod";
import { ConfigurationError, parseJsonFile, positionAt } from "./json_file.ts";
import { nearestNames } from "../tools/nearest_name.ts";

const prices = z.object({
  input: z.number().nonnegative(),
  cached_input: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
}).describe("US dollars per million tokens");

const configSchema = z.object({
  model: z.string().describe("model to ask, as --model"),
  base_url: z.url().describe("any OpenAI-compatible server, as --base-url"),
  env_key: z.string().describe("variable that holds the key; default OPENAI_API_KEY"),
  wire: z.enum(["auto", "chat", "responses"]).describe("API that the server speaks"),
  headers: z.record(z.string(), z.string()).describe("headers of every request"),
  context_window: z.int().min(1000).describe("size of the model's window, in tokens"),
  max_output_tokens: z.int().positive().describe("longest answer to ask for"),
  max_tokens_field: z.enum(["max_tokens", "max_completion_tokens"])
    .describe("how the server spells it"),
  tool_format: z.enum(["native", "markdown"])
    .describe("markdown: for models without function calling"),
  images: z.boolean().describe("whether the model takes images"),
  prices,
  apply_model: z.object({
    model: z.string().describe("as its server calls it"),
    base_url: z.url().describe("its server").optional(),
    env_key: z.string().describe("variable that holds its key").optional(),
  }).describe("model that merges edits for the tool morph"),
  patch_recovery: z.enum(["place", "file", "none"])
    .describe("what an edit that misses shows of the file"),
  bash_timeout_ms: z.int().min(1).max(600_000).describe("default limit of a command"),
  tools: z.array(z.string()).describe("tools to offer, as --tools"),
  max_turns: z.int().positive().describe("stop after so many turns"),
  approval: z.enum(["on-escape", "ask", "deny"]).describe("when a call needs a yes"),
}).partial();

/** The person's own settings, `config.jsonc`; a flag or variable beats each of them. */
export type Config = z.infer<typeof configSchema>;

/** Settings, and what a person should know about the file. */
export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/**
 * Reads the text of a configuration file. Unknown keys are warned about and passed over.
 * @throws {ConfigurationError} naming file, line and column.
 */
export function readConfig(path: string, source: string): ReadConfig {
  // Editors on Windows begin a file with a byte order mark.
  const text = source.replace(/^\uFEFF/, "");
  const value = parseJsonFile(path, text);
  if (value === undefined) return { config: {}, warnings: [] };
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue ? locate(text, issue.path) : "";
    const key = issue?.path.join(".") || "the file";
    throw new ConfigurationError(
      `Cannot use "${path}": ${key} is wrong${where}: ${issue?.message}`,
    );
  }
  return { config: parsed.data, warnings: unknownKeys(path, text, value) };
}

function unknownKeys(path: string, text: string, value: unknown): string[] {
  const known = Object.keys(configSchema.shape);
  // zod has just seen that it is an object.
  return Object.keys(value as object).filter((key) => !known.includes(key)).map((key) => {
    const guess = nearestNames(key, known)[0];
    const hint = guess ? `, did you mean "${guess}"` : "";
    return `Unknown key "${key}" in "${path}"${locate(text, [key])} is passed over${hint}`;
  });
}

function locate(text: string, path: readonly PropertyKey[]): string {
  const root = parseTree(text);
  const segments = path.filter((part) => typeof part !== "symbol");
  const node = root && findNodeAtLocation(root, segments);
  if (!node) return "";
  const { line, column } = positionAt(text, node.offset);
  return ` (line ${line}, column ${column})`;
}
