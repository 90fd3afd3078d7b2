import { readAllowedTools } from "../../../allowed_tools.ts";
import { readFrontMatter } from "../../../front_matter.ts";
import { reasonOf } from "../../../session/error.ts";
import type { CommandFile } from "./command_files.ts";

/** A command that a person wrote as a Markdown file. */
export interface UserCommand extends CommandFile {
  readonly origin: "user" | "project" | "skill";
  readonly description: string;
  readonly hint: string;
  /** The model that its task asks, where it names one. */
  readonly model?: string;
  /** Names of the only tools that its task is offered, where it names some. */
  readonly tools?: readonly string[];
  readonly body: string;
  /** Sentences about what is wrong with its file. */
  readonly warnings: readonly string[];
}

/** A command, or why its file cannot be read at all, in a sentence. */
export type ReadCommand =
  | { readonly ok: true; readonly command: UserCommand }
  | { readonly ok: false; readonly problem: string };

/** The largest file that is read, in bytes: it becomes a prompt. */
const MAX_BYTES = 256 * 1024;

/** How much of the first line stands for a description that is missing, in UTF-16 units. */
const MAX_DESCRIPTION_CHARS = 80;

/** Reads a command's file; what is wrong with it is told, and the rest of it works. */
export async function readUserCommand(
  file: CommandFile,
  origin: UserCommand["origin"],
): Promise<ReadCommand> {
  const read = await readText(file.path);
  if ("problem" in read) {
    return { ok: false, problem: `Cannot read command "${file.path}": ${read.problem}` };
  }
  const { facts, body, problem } = await readFrontMatter(read.text);
  const warnings = problem
    ? [`${file.path}:${problem.line}: the front matter is passed over: ${problem.message}`]
    : [];
  const text = (key: string) => textOf(facts[key], key, warn);
  const model = text("model");
  const tools = toolsOf(facts["allowed-tools"], warn);
  const command: UserCommand = {
    ...file,
    origin,
    body,
    description: text("description") ?? firstLine(body),
    hint: text("argument-hint") ?? (/\$(?:ARGUMENTS\b|[1-9])/.test(body) ? "[ARGUMENTS]" : ""),
    ...(model !== undefined && model !== "inherit" && { model }),
    ...(tools && { tools }),
    warnings,
  };
  return { ok: true, command };

  function warn(key: string, why: string): void {
    warnings.push(`${file.path}: "${key}" is passed over: ${why}`);
  }
}

async function readText(path: string): Promise<{ text: string } | { problem: string }> {
  try {
    const { size } = await Deno.stat(path);
    if (size > MAX_BYTES) return { problem: "it is over 256 KB" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path)) };
  } catch (error) {
    if (error instanceof TypeError) return { problem: "it is not UTF-8 text" };
    return { problem: reasonOf(error) };
  }
}

type Warn = (key: string, why: string) => void;

function textOf(value: unknown, key: string, warn: Warn): string | undefined {
  switch (typeof value) {
    case "string":
      return value.trim() || undefined;
    case "number":
    case "boolean":
      return String(value);
    default:
      // `argument-hint: [NAME]` is a list to YAML, and means its text.
      if (Array.isArray(value)) return `[${value.join(", ")}]`;
      if (value !== undefined && value !== null) warn(key, "it is no text");
      return undefined;
  }
}

/** What is no list of names leaves no tool, since it was meant to leave few. */
function toolsOf(value: unknown, warn: Warn): readonly string[] | undefined {
  const read = readAllowedTools(value);
  if (read.ok) return read.names;
  warn("allowed-tools", read.problem);
  return [];
}

function firstLine(body: string): string {
  const line = body.split("\n").map((text) => text.replace(/^[#>\s]+/, "").trim()).find(Boolean);
  if (line === undefined) return "";
  return line.length > MAX_DESCRIPTION_CHARS ? `${line.slice(0, MAX_DESCRIPTION_CHARS)}…` : line;
}
