import type { Tool } from "../tool.ts";
import type { PythonFunction } from "./messages.ts";

/** The list of functions in the description of `python`, with signatures while it is not longer. */
const MAX_SIGNATURE_CHARS = 800;

/** What JSON Schema tells of parameters, as far as it is read here. */
interface ParametersJson {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** A tool as Python sees it: what `help()` prints is the tool's own description. */
export function pythonFunction(tool: Tool): PythonFunction {
  const { properties, required } = parametersOf(tool);
  const notes = Object.entries(properties)
    .flatMap(([name, { description }]) =>
      description === undefined ? [] : [`${name}: ${description}`]
    );
  return {
    name: tool.name,
    parameters: Object.keys(properties).map((name) => [name, required.includes(name)]),
    doc: [tool.description, ...notes].join("\n"),
  };
}

/** The sentence that tells the model of these functions; names alone where signatures are long. */
export function functionsSentence(tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  const signatures = tools.map((tool) => signature(pythonFunction(tool))).join(", ");
  const list = signatures.length <= MAX_SIGNATURE_CHARS
    ? signatures
    : tools.map(({ name }) => name).join(", ");
  return ` Functions (keyword arguments; they return the tool's value or raise ToolError): ${list}; ` +
    "help(f) tells more.";
}

function signature({ name, parameters }: PythonFunction): string {
  const names = parameters.map(([name, required]) => required ? name : `${name}=None`);
  return `${name}(${names.join(", ")})`;
}

/** Parameters that no Python name can be are left out. */
function parametersOf({ parameters }: Tool): Required<ParametersJson> {
  // A schema made by zod has this shape, and a foreign tool's may lack any of it.
  const { properties = {}, required = [] } = parameters.json as ParametersJson;
  const named = Object.entries(properties).filter(([name]) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name));
  return { properties: Object.fromEntries(named), required };
}
