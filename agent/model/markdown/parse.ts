import { canonicalName } from "../../toolbox.ts";
import type { ToolSpec } from "../model.ts";
import { callOfBlock, type WrittenCall } from "./call_of_block.ts";
import { type FencedBlock, splitFences } from "./fences.ts";
import { parametersOf } from "./forms.ts";
import { tagOf } from "./info.ts";
import { splitJobLines, type Step } from "./job_lines.ts";
import { RESULT_LINE } from "./results.ts";

/** A part of an answer in order: text for the person, or a block with the calls that it is. */
export interface Part {
  /** As written; the texts of all parts joined are the answer. */
  readonly text: string;
  /** Empty for text; several where a script has lines about jobs. */
  readonly calls: readonly WrittenCall[];
}

/**
 * Reads an answer: blocks whose language is an offered tool are calls, everything else is text.
 * Calls that may not be run carry their `problem`: a block that is not closed, one whose end is in
 * doubt, one after a result that the model made up. `cut`: the answer ended before its time.
 */
export function parseAnswer(
  answer: string,
  tools: readonly ToolSpec[],
  cut = false,
): readonly Part[] {
  const thought = THOUGHT.exec(answer)?.[0] ?? "";
  const segments = splitFences(answer.slice(thought.length), cut);
  const last = segments.at(-1);
  const unpaired = last?.kind === "fence" && !last.closed;
  const parts: Part[] = [];
  let invented = false;
  if (thought !== "") addText(parts, thought);
  for (const segment of segments) {
    const tool = segment.kind === "fence" ? toolOf(segment, tools) : undefined;
    if (segment.kind === "text" || tool === undefined) {
      invented ||= segment.kind === "text" && RESULT_LINE.test(segment.text);
      addText(parts, segment.text);
      continue;
    }
    const problem = problemOf(segment, tool, { unpaired, invented });
    const calls = problem === undefined
      ? callsOf(segment, tool, tools)
      : [{ name: tool.name, arguments: segment.body, problem }];
    parts.push({ text: segment.text, calls });
  }
  return parts;
}

/** The calls of an answer, in order. */
export function callsIn(parts: readonly Part[]): readonly WrittenCall[] {
  return parts.flatMap(({ calls }) => calls);
}

/** Thoughts that a server left in the text are no place for calls. */
const THOUGHT = /^\s*<(think|thinking|thought)>(?:.*?<\/\1>|.*)/s;

function addText(parts: Part[], text: string): void {
  const last = parts.at(-1);
  if (last?.calls.length === 0) parts[parts.length - 1] = { text: last.text + text, calls: [] };
  else parts.push({ text, calls: [] });
}

function toolOf({ info }: FencedBlock, tools: readonly ToolSpec[]): ToolSpec | undefined {
  const tag = tagOf(info);
  return tools.find(({ name }) => name === tag) ??
    tools.find(({ name }) => name === canonicalName(tag));
}

function problemOf(
  { closed, nests }: FencedBlock,
  { name }: ToolSpec,
  { unpaired, invented }: { unpaired: boolean; invented: boolean },
): string | undefined {
  if (!closed) {
    return `The block ${name} was cut off: no closing fence ends it, so it was not run. ` +
      "Send it again; where the lines inside have fences themselves, begin and end it with a longer one";
  }
  if (nests && unpaired) {
    return `Where the block ${name} ends is in doubt, so it was not run: it has fences inside, ` +
      "and the fences of the answer do not pair up. Begin and end it with a longer fence (````)";
  }
  if (!invented) return undefined;
  return "It stands after a <tool_result> that you wrote yourself, so it was not run. " +
    "Results come in the next message: go on from the real ones";
}

function callsOf(
  block: FencedBlock,
  tool: ToolSpec,
  tools: readonly ToolSpec[],
): readonly WrittenCall[] {
  const call = callOfBlock(block, tool);
  const isScript = tool.name === "bash" && call.problem === undefined &&
    tagOf(block.info) === block.info;
  if (!isScript || call.arguments === block.body || !takesJobLines(tool, tools)) return [call];
  const steps = splitJobLines(block.body.replace(/\n$/, ""));
  return steps.length === 0 ? [call] : steps.map(callOfStep);
}

/** The tools about jobs that lines of a script stand for. */
const JOB_TOOLS = ["job_list", "job_output", "job_kill"] as const;

/** Whether lines of a script may be about jobs: the tools for it are offered. */
export function takesJobLines(bash: ToolSpec, tools: readonly ToolSpec[]): boolean {
  return Object.hasOwn(parametersOf(bash), "background") &&
    JOB_TOOLS.every((job) => tools.some(({ name }) => name === job));
}

function callOfStep(step: Step): WrittenCall {
  switch (step.kind) {
    case "script": {
      const background = step.background ? { background: true } : {};
      return written("bash", { command: step.script, ...background });
    }
    case "list":
      return written("job_list", {});
    case "output":
      return written("job_output", { job_id: step.job });
    case "kill":
      return written("job_kill", { job_id: step.job });
  }
}

function written(name: string, args: Readonly<Record<string, unknown>>): WrittenCall {
  return { name, arguments: JSON.stringify(args) };
}
