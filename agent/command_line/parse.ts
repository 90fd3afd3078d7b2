import { parseArgs } from "node:util";
import { type CommandName, COMMANDS } from "./commands.ts";
import type { ItemRule, Option } from "./option.ts";
import { type OptionName, OPTIONS, type OptionValues } from "./options.ts";
import { nearestNames } from "../../tools/nearest_name.ts";

/** What a person asked for on the command line. */
export interface Invocation {
  /** Undefined: a conversation, or one task with `--print`. */
  readonly command: CommandName | undefined;
  readonly options: OptionValues;
  /** Everything that is no option, after the sub-command. */
  readonly operands: readonly string[];
}

/** The command line says something that Cordon does not understand. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    message: string,
    /** What else was understood, so that the error can be told in the format asked for. */
    readonly options: OptionValues = {},
  ) {
    super(message);
  }
}

/**
 * Reads the command line, and for what it leaves open the variables `CORDON_*`.
 * @throws {UsageError}
 */
export function parseCommandLine(
  args: readonly string[],
  env: (name: string) => string | undefined = () => undefined,
): Invocation {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: OptionValues = {};
  const operands: string[] = [];
  let command: CommandName | undefined;
  let literal = false;
  const problems: UsageError[] = [];
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1];
    switch (token.kind) {
      case "option-terminator":
        literal = true;
        break;
      case "positional":
        if (before?.kind === "option" && mayTake(before, token.value)) {
          setOption(options, before.name, before.rawName, token.value);
        } else if (
          !literal && command === undefined && operands.length === 0 && isCommand(token.value)
        ) {
          command = token.value;
        } else {
          operands.push(token.value);
        }
        break;
      case "option":
        attempt(() => setOption(options, token.name, token.rawName, givenValue(token)));
        break;
    }
  }
  attempt(() => addFromEnvironment(options, env));
  attempt(() => refuseMisplaced(command, options, operands));
  const [first] = problems;
  // The first mistake is told, in the format that the rest of the line asks for.
  if (first) throw new UsageError(first.message, options);
  return { command, options, operands };

  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error);
    }
  }
}

/** The variable that stands for an option, or undefined where none may. */
export function variableOf(name: OptionName): string | undefined {
  const option: Option = OPTIONS[name];
  return option.flagOnly ? undefined : `CORDON_${name.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * A word that begins like an option is no value, unless it is bound by `=`, which short names may
 * have as well: to node:util it were a part of the value then.
 */
function givenValue({ rawName, value, inlineValue }: {
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}): string | undefined {
  if (inlineValue && !rawName.startsWith("--")) return value?.replace(/^=/, "");
  return value?.startsWith("-") && value !== "-" && !inlineValue ? undefined : value;
}

/** Whether a word is the value of the option before it, which may go without. */
function mayTake({ name, value }: { name: string; value?: string | undefined }, word: string) {
  const option: Option | undefined = isOption(name) ? OPTIONS[name] : undefined;
  return value === undefined && option?.kind === "text" && option.optional?.test(word) === true;
}

/** Refuses what the sub-command has no use for, so that nothing said is passed over. */
function refuseMisplaced(
  command: CommandName | undefined,
  options: OptionValues,
  operands: readonly string[],
): void {
  const entries: [string, Option][] = Object.entries(OPTIONS);
  for (const [name, { only }] of entries) {
    if (!isOption(name) || options[name] === undefined || !only) continue;
    if (command === undefined || !only.includes(command)) {
      throw new UsageError(`Option "--${name}" is for cordon ${only.join(", ")} alone`);
    }
  }
  if (command === undefined || "operand" in COMMANDS[command]) return;
  const [word] = operands;
  if (word === undefined) return;
  throw new UsageError(
    `Unexpected "${word}" after cordon ${command}; a prompt that begins so goes after --`,
  );
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

/** node:util knows two types; a value that may be absent is a boolean with an inline value. */
function parserOptions(): Record<string, { type: "string" | "boolean"; short?: string }> {
  const entries: [string, Option][] = Object.entries(OPTIONS);
  return Object.fromEntries(entries.map(([name, option]) => {
    const bare = option.kind === "toggle" || option.kind === "extent" ||
      (option.kind === "text" && option.optional !== undefined);
    const type = bare ? "boolean" as const : "string" as const;
    return [name, option.short === undefined ? { type } : { type, short: option.short }];
  }));
}

function setOption(
  options: OptionValues,
  name: string,
  rawName: string,
  text: string | undefined,
): void {
  if (!isOption(name)) {
    const known = Object.keys(OPTIONS).map((option) => `--${option}`);
    const guess = nearestNames(rawName, known)[0];
    throw new UsageError(
      `Unknown option "${rawName}"${guess ? `, did you mean ${guess}` : ""}; see cordon --help`,
    );
  }
  // The table gives each name its type and `read` obeys it; TypeScript cannot follow the key.
  const values = options as Record<OptionName, unknown>;
  values[name] = merge(values[name], read(OPTIONS[name], rawName, text));
}

/** Lists and extents add up, everything else is replaced by what comes later. */
function merge(before: unknown, value: unknown): unknown {
  if (before === "all" || value === "all") return "all";
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

function read(option: Option, rawName: string, text: string | undefined): unknown {
  switch (option.kind) {
    case "toggle":
      if (text !== undefined) throw new UsageError(`Option "${rawName}" takes no value`);
      return true;
    case "extent":
      return text === undefined ? "all" : split(text);
    case "list":
      return items(rawName, option.each, split(required(rawName, option.placeholder, text)));
    case "text":
      if (option.optional && text === undefined) return "";
      return required(rawName, option.placeholder, text);
    case "choice": {
      const value = required(rawName, option.choices.join("|"), text);
      if (!option.choices.includes(value)) {
        throw new UsageError(
          `Option "${rawName}" cannot be "${value}": it is one of ${option.choices.join(", ")}`,
        );
      }
      return value;
    }
    case "number": {
      const value = required(rawName, option.placeholder, text);
      const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
      const { minimum, maximum, integer } = option;
      const inBounds = parsed >= minimum && parsed <= maximum;
      if (!inBounds || (integer && !Number.isInteger(parsed))) {
        const kind = integer ? "a whole number" : "a number";
        throw new UsageError(
          `Option "${rawName}" cannot be "${value}": it is ${kind} from ${minimum} to ${maximum}, ` +
            "in digits",
        );
      }
      return parsed;
    }
  }
}

function required(rawName: string, placeholder: string, text: string | undefined): string {
  if (text === undefined || text === "") {
    throw new UsageError(`Option "${rawName}" needs a value: ${rawName}=${placeholder}`);
  }
  return text;
}

function items(rawName: string, rule: ItemRule | undefined, words: string[]): string[] {
  for (const word of words) {
    if (rule && !rule.allows(word)) {
      throw new UsageError(`Option "${rawName}" cannot be "${word}": ${rule.says}`);
    }
  }
  return words;
}

function split(text: string): string[] {
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function addFromEnvironment(
  options: OptionValues,
  env: (name: string) => string | undefined,
): void {
  const flags = new Set(Object.keys(options));
  for (const name of Object.keys(OPTIONS)) {
    if (!isOption(name) || flags.has(name)) continue;
    const { instead }: Option = OPTIONS[name];
    if (instead !== undefined && flags.has(instead)) continue;
    const variable = variableOf(name);
    const text = variable === undefined ? undefined : env(variable);
    if (variable === undefined || text === undefined || text === "") continue;
    if (OPTIONS[name].kind === "toggle") {
      if (/^(1|true|yes)$/i.test(text)) setOption(options, name, variable, undefined);
      continue;
    }
    setOption(options, name, variable, text);
  }
}
