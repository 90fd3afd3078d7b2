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

/** Built-in tools and some that other parts bring. */
export const TOOLS: readonly ToolSpec[] = [
  ...BUILTIN.filter(({ name }) => name !== "python"),
  spec("python", "code", "timeout_ms?"),
  spec("web_fetch", "url"),
];

/** The same without the tools about jobs, as where they are switched off. */
export const WITHOUT_JOBS: readonly ToolSpec[] = TOOLS.filter(({ name }) =>
  !name.startsWith("job_")
);

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
