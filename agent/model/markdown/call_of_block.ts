import { parseJson } from "../json.ts";
import type { ToolSpec } from "../model.ts";
import { readChecklist } from "./checklist.ts";
import { bodyText, type Form, formOf, parametersOf, requiredOf } from "./forms.ts";
import { type Info, readInfo } from "./info.ts";
import { type ReadBody, readHunk, readPatches } from "./patch_body.ts";

/** A call as it was read: raw arguments, meant to be a JSON object, or why it is none. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
  readonly problem?: string;
}

/** What a block says, as far as it matters for its call. */
export interface Block {
  readonly info: string;
  readonly body: string;
}

type Arguments = Readonly<Record<string, unknown>>;

/** The call of a tool that a whole block is. Whether its arguments are right is the executor's matter. */
export function callOfBlock(block: Block, tool: ToolSpec): WrittenCall {
  const { name } = tool;
  const info = readInfo(block.info);
  if (!info.ok) return broken(block, tool, info.problem);
  if (info.parts.length === 0 && isJsonBody(block.body, tool)) {
    return { name, arguments: block.body };
  }
  const read = readBlock(block.body, info, tool);
  return read.ok
    ? { name, arguments: JSON.stringify(read.args) }
    : { name, arguments: block.body, problem: read.problem };
}

function broken({ body }: Block, { name }: ToolSpec, why: string): WrittenCall {
  return { name, arguments: body, problem: `Cannot run ${name}: ${why}` };
}

/**
 * Whether the lines inside are meant as the object of all parameters: it begins with one of them,
 * or the tool takes no plain text. Such a body is passed on as it stands, also where it is no JSON.
 */
function isJsonBody(body: string, tool: ToolSpec): boolean {
  if (!/^\s*\{/.test(body)) return false;
  const { body: parameter, reads } = formOf(tool);
  if (parameter === undefined || reads !== undefined) return true;
  const first = /^\s*\{\s*"([^"\\]*)"\s*:/.exec(body)?.[1];
  return first !== undefined && Object.hasOwn(parametersOf(tool), first);
}

function readBlock(body: string, info: Info & { ok: true }, tool: ToolSpec): ReadBody {
  const form = formOf(tool);
  const { words, pairs } = sortParts(info, tool, form);
  const isBlank = body.trim() === "";
  const slots = isBlank ? form.wordsAlone ?? form.words : form.words;
  const named = form.list ? { ok: true as const, args: {} } : fillSlots(words, slots, tool);
  if (!named.ok) return named;
  const inside = readInside(body, form.list ? words : [], form, tool);
  if (!inside.ok) return inside;
  const given = [pairs, named.args, inside.args];
  const twice = given.flatMap(Object.keys).find((name, index, all) => all.indexOf(name) !== index);
  if (twice !== undefined) {
    return { ok: false, problem: `${cannot(tool)}: ${twice} is given twice` };
  }
  return { ok: true, args: { ...pairs, ...named.args, ...inside.args } };
}

/** Pairs are parameters; `a=b.txt` is a word where the tool has no `a` and takes words. */
function sortParts(
  { parts }: Info & { ok: true },
  tool: ToolSpec,
  form: Form,
): { words: string[]; pairs: Arguments } {
  const words: string[] = [];
  const pairs: Record<string, unknown> = {};
  const known = parametersOf(tool);
  for (const part of parts) {
    if (part.kind === "word") words.push(part.text);
    else if (Object.hasOwn(known, part.name) || form.words.length === 0) {
      pairs[part.name] = part.text;
    } else words.push(part.raw);
  }
  return { words, pairs };
}

/** One parameter takes all words, as a path with blanks; several take one each. */
function fillSlots(words: readonly string[], slots: readonly string[], tool: ToolSpec): ReadBody {
  if (words.length === 0) return { ok: true, args: {} };
  const [only] = slots;
  if (only !== undefined && slots.length === 1) {
    return { ok: true, args: { [only]: words.join(" ") } };
  }
  if (words.length > slots.length) {
    const place = slots.length === 0
      ? "it takes no words after its name"
      : `after its name it takes ${slots.join(" and ")}, with quotes around blanks`;
    return { ok: false, problem: `${cannot(tool)}: ${place}; the rest goes inside the block` };
  }
  return { ok: true, args: Object.fromEntries(words.map((word, at) => [slots[at] ?? "", word])) };
}

function readInside(
  body: string,
  paths: readonly string[],
  { body: parameter, reads, words }: Form,
  tool: ToolSpec,
): ReadBody {
  const isBlank = body.trim() === "";
  switch (reads) {
    case "hunk":
      return isBlank ? NOTHING : readHunk(body);
    case "patches":
      return readPatches(body, paths);
    case "paths":
      return readPaths([...paths, ...linesIn(body)]);
    case "json":
      return isBlank ? NOTHING : { ok: true, args: { [parameter ?? ""]: parseJson(body) ?? body } };
    case "checklist":
      return readTodos(body, tool);
    case undefined:
      break;
  }
  if (parameter !== undefined) {
    // An empty file is worth a call; an empty command or pattern is a forgotten one.
    const isMeant = !isBlank || (words.length > 0 && requiredOf(tool).includes("path"));
    return isMeant ? { ok: true, args: { [parameter]: bodyText(parameter, body) } } : NOTHING;
  }
  if (isBlank) return NOTHING;
  const lines = linesIn(body);
  if (words[0] === undefined || lines.length > 1) {
    return { ok: false, problem: `${cannot(tool)}: the lines inside are one JSON object` };
  }
  return { ok: true, args: { [words[0]]: lines[0] } };
}

const NOTHING: ReadBody = { ok: true, args: {} };

function readPaths(paths: readonly string[]): ReadBody {
  const [only] = paths;
  if (only === undefined) return NOTHING;
  return { ok: true, args: paths.length === 1 ? { path: only } : { paths } };
}

function readTodos(body: string, tool: ToolSpec): ReadBody {
  const json = parseJson(body);
  if (Array.isArray(json)) return { ok: true, args: { todos: json } };
  const list = readChecklist(body);
  if (list.ok) return { ok: true, args: { todos: list.todos } };
  const problem = `"${list.line}" is no item like "- [ ] words", "- [~] words" or "- [x] words"`;
  return { ok: false, problem: `${cannot(tool)}: ${problem}` };
}

function linesIn(body: string): string[] {
  return body.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

function cannot({ name }: ToolSpec): string {
  return `Cannot run ${name}`;
}
