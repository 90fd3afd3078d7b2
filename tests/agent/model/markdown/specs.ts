import { callsIn, parseAnswer } from "../../../../agent/model/markdown/parse.ts";
import type { ToolSpec } from "../../../../agent/model/model.ts";
import { builtinTools } from "../../../../tools/mod.ts";

/** A tool that is known by its parameters alone; those with "?" are optional. */
export function spec(name: string, ...parameters: readonly string[]): ToolSpec {
  const names = parameters.map((parameter) => parameter.replace("?", ""));
  return {
    name,
    description: `Does ${name}.`,
    parameters: {
      type: "object",
      properties: Object.fromEntries(names.map((key) => [key, { type: "string" }])),
      required: names.filter((key) => parameters.includes(key)),
    },
  };
}

/** The tools that this program has, as a model is told of them. */
export const BUILTIN: readonly ToolSpec[] = builtinTools({ bashTimeoutMs: undefined }).map(
  ({ name, description, parameters }) => ({ name, description, parameters: parameters.json }),
);

/** The same with the tools about jobs, and with a `bash` that knows the background. */
export const WITH_JOBS: readonly ToolSpec[] = [
  spec("bash", "command", "background?"),
  spec("job_list"),
  spec("job_output", "job_id"),
  spec("job_kill", "job_id"),
  ...BUILTIN.filter(({ name }) => name !== "bash" && !name.startsWith("job_")),
];

/** Built-in tools and some that other parts bring. */
export const TOOLS: readonly ToolSpec[] = [
  ...BUILTIN.filter(({ name }) => name !== "python"),
  spec("python", "code", "timeout_ms?"),
  spec("web_fetch", "url"),
];

/** Each call as name and arguments (parsed where they are JSON), or with "problem" in their place. */
export function seen(
  answer: string,
  tools: readonly ToolSpec[] = TOOLS,
  cut = false,
): (readonly [name: string, args: unknown])[] {
  return callsIn(parseAnswer(answer, tools, cut)).map(({ name, arguments: raw, problem }) =>
    [name, problem === undefined ? parsed(raw) : "problem"] as const
  );
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (error instanceof SyntaxError) return raw;
    throw error;
  }
}
