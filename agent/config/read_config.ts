import { nearestNames } from "../../tools/nearest_name.ts";
import { ConfigurationError, parseJsonFile, positionOf } from "../json_file.ts";
import { type Config, configSchema, PROVIDER_KEYS } from "./schema.ts";

/** Settings, and what a person should know about the file. */
export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/**
 * Reads the text of a configuration file; an empty one sets nothing. Unknown keys are warned about
 * and passed over.
 * @throws {ConfigurationError} naming file, line and column.
 */
export function readConfig(path: string, source: string): ReadConfig {
  // Editors on Windows begin a file with a byte order mark.
  const text = source.replace(/^\uFEFF/, "");
  const value = parseJsonFile(path, text, true);
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
  // zod has just seen that it is an object, and `providers` an object of objects.
  const top = value as Readonly<Record<string, unknown>>;
  const profiles = (top.providers ?? {}) as Readonly<Record<string, object>>;
  const found: [place: string[], known: readonly string[]][] = [
    ...Object.keys(top).map((
      key,
    ): [string[], string[]] => [[key], Object.keys(configSchema.shape)]),
    ...Object.entries(profiles).flatMap(([name, profile]) =>
      Object.keys(profile).map((key): [string[], readonly string[]] => [
        ["providers", name, key],
        PROVIDER_KEYS,
      ])
    ),
  ];
  return found.flatMap(([place, known]) => {
    const key = place.at(-1) ?? "";
    if (known.includes(key)) return [];
    const guess = nearestNames(key, known)[0];
    const hint = guess ? `, did you mean "${guess}"` : "";
    return [`Unknown key "${key}" in "${path}"${locate(text, place)} is passed over${hint}`];
  });
}

function locate(text: string, path: readonly PropertyKey[]): string {
  const position = positionOf(text, path);
  return position ? ` (line ${position.line}, column ${position.column})` : "";
}
