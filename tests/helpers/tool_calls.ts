import { lookContext, toolContext } from "../../agent/capabilities.ts";
import type { Capabilities } from "../../agent/capabilities.ts";
import { readArguments } from "../../agent/calls/arguments.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { createFiles } from "../../sandbox/files/guarded_files.ts";
import type { Plan, Tool } from "../../tools/tool.ts";

/** How a call of a tool ended, as the executor would tell it. */
export interface Outcome {
  readonly isError: boolean;
  /** The tool's value; the problem where the call could not run. */
  readonly value: Readonly<Record<string, unknown>>;
  /** What the model sees. */
  readonly text: string;
}

/** The file capability over one folder. */
export function filesIn(workspace: string): WriteFiles {
  return createFiles({ roots: { workspace }, cwd: () => workspace });
}

/** What a tool's needs are met with; what is not given must not be asked for. */
export type Backing = Partial<Capabilities> & { readonly files: WriteFiles };

/** Reads arguments, plans, runs and renders one call with exactly the capabilities it declared. */
export async function runTool(tool: Tool, args: unknown, given: Backing): Promise<Outcome> {
  const raw = typeof args === "string" ? args : JSON.stringify(args);
  const read = readArguments(raw, tool.parameters);
  if (!read.ok) return { isError: true, value: { problem: read.problem }, text: read.problem };
  return await runPlanned(tool, read.value, given, await planOf(tool, read.value, given));
}

/** The plan of a call. */
export async function planOf(tool: Tool, args: unknown, given: Backing): Promise<Plan> {
  return await tool.plan(args, lookContext(tool.needs, backing(given)));
}

/** Runs a call by a plan made earlier. */
export async function runPlanned(
  tool: Tool,
  args: unknown,
  given: Backing,
  plan: Plan,
): Promise<Outcome> {
  const context = toolContext(tool.needs, backing(given), {
    callId: "call",
    signal: new AbortController().signal,
    progress: () => {},
  });
  try {
    const value = await tool.run(args, context, plan);
    const stored = tool.result.parse(JSON.parse(JSON.stringify(value)));
    if (!stored.ok) throw new TypeError(`value off its schema: ${stored.problems.join("; ")}`);
    const text = tool.render(stored.value)
      .map((part) => part.type === "text" ? part.text : "").join("");
    // Values of tools are JSON objects.
    return { isError: false, value: value as Record<string, unknown>, text };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    return { isError: true, value: { problem: error.message }, text: error.message };
  }
}

function backing(given: Backing): Capabilities {
  // A capability that a test does not give is one that its tool does not declare.
  return given as Capabilities;
}
