import { basename, dirname } from "node:path";
import { readAllowedTools } from "../allowed_tools.ts";
import { startOf } from "../clipped.ts";
import { readFrontMatter } from "../front_matter.ts";
import { reasonOf } from "../session/error.ts";

/** Instructions for a kind of task, as a SKILL.md of agentskills.io has them. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Of its SKILL.md, absolute. */
  readonly path: string;
  /** Where its files really are, links resolved. */
  readonly folder: string;
  /** Names of the only tools that are left while it is in use; absent: all of them. */
  readonly tools?: readonly string[];
  /** Whether the model may take it by itself. */
  readonly forModel: boolean;
  /** Whether a person may give it as a command. */
  readonly forPerson: boolean;
}

/** A skill, or none, and sentences about what is wrong with its file. */
export interface ReadSkill {
  readonly skill?: Skill;
  readonly warnings: readonly string[];
}

/** The largest file that is read, in bytes. */
const MAX_BYTES = 256 * 1024;

/** As agentskills.io bounds them, in characters. */
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads a SKILL.md as leniently as can be done without guessing: a name that is none, or another
 * than its folder's, is warned about; without a description nobody could choose the skill, so it is
 * left out.
 */
export async function readSkill(path: string, real: string): Promise<ReadSkill> {
  const read = await readText(real);
  if ("problem" in read) return { warnings: [`Cannot read skill "${path}": ${read.problem}`] };
  const { facts, body, problem } = await readFrontMatter(read.text);
  const warnings: string[] = [];
  const warn = (what: string) => warnings.push(`${path}: ${what}`);
  if (problem) warn(`line ${problem.line}: the front matter is passed over: ${problem.message}`);
  const description = lineOf(facts["description"]);
  if (description === undefined) {
    warn("this skill is left out, since it has no description");
    return { warnings };
  }
  if (description.length > MAX_DESCRIPTION_CHARS) {
    warn(`its description is cut at ${MAX_DESCRIPTION_CHARS} characters`);
  }
  const allowed = readAllowedTools(facts["allowed-tools"]);
  if (!allowed.ok) warn(`"allowed-tools" cannot be used: ${allowed.problem}`);
  const tools = allowed.ok ? allowed.names : [];
  const flag = (key: string) => flagOf(facts[key], (why) => warn(`"${key}" ${why}`));
  const skill: Skill = {
    name: nameOf(facts["name"], basename(dirname(path)), warn),
    description: startOf(description, MAX_DESCRIPTION_CHARS),
    ...{ body, path, folder: dirname(real) },
    ...(tools && { tools }),
    forModel: flag("disable-model-invocation") !== true,
    forPerson: flag("user-invocable") !== false,
  };
  return { skill, warnings };
}

async function readText(path: string): Promise<{ text: string } | { problem: string }> {
  try {
    const { size, isFile } = await Deno.stat(path);
    // A pipe would be read for ever.
    if (!isFile) return { problem: "it is no regular file" };
    if (size > MAX_BYTES) return { problem: "it is over 256 KB" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path)) };
  } catch (error) {
    if (error instanceof TypeError) return { problem: "it is not UTF-8 text" };
    return { problem: reasonOf(error) };
  }
}

/** Text on one line, without control characters: it stands in a list. */
function lineOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.replace(/[\s\p{Cc}]+/gu, " ").trim() || undefined;
}

function nameOf(value: unknown, folder: string, warn: (what: string) => void): string {
  const name = lineOf(value);
  if (name === undefined) {
    warn(`it has no name, so its folder's is taken: ${folder}`);
    return folder;
  }
  if (!NAME.test(name) || name.length > MAX_NAME_CHARS) {
    warn(`its name is not of a-z, 0-9 and single hyphens, so its folder's is taken: ${folder}`);
    return folder;
  }
  if (name !== folder) warn(`its name is ${name}, but its folder's is ${folder}`);
  return name;
}

/** `true` and `false`, also in quotes. */
function flagOf(value: unknown, warn: (why: string) => void): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  warn("is neither true nor false, and is passed over");
  return undefined;
}
