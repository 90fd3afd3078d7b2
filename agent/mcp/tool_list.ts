import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import { cleanText } from "../../tools/web/outside.ts";
import type { Schema } from "../../tools/schema.ts";
import type { SchemaMaker } from "./json_schema.ts";
import { nameApart } from "./names.ts";

/** A tool of a server that can be offered to a model. */
export interface ForeignToolInfo {
  /** As the model calls it. */
  readonly name: string;
  readonly server: string;
  readonly description: string;
  readonly parameters: Schema<Record<string, unknown>>;
  /** Of its structured result; absent where it promises none. */
  readonly result?: Schema<Record<string, unknown>>;
  /** As the server listed it. */
  readonly listed: ListedTool;
}

/** Tools that can be used, and sentences on those that cannot. */
export interface UsableTools {
  readonly tools: readonly ForeignToolInfo[];
  readonly warnings: readonly string[];
}

/** Tools of one server at the most; the rest is told of. */
export const MAX_TOOLS = 256;

/** A longer description is cut, in UTF-16 units. */
const MAX_DESCRIPTION_CHARS = 2048;

/** A tool whose schema takes more is passed over, in UTF-16 units of JSON. */
const MAX_SCHEMA_CHARS = 16 * 1024;

/**
 * The tools of servers as a model may be told of them: sorted by name, so that requests stay alike;
 * without what nobody can see; less those whose schema a model's server would refuse.
 */
export function usableTools(
  server: string,
  listed: readonly ListedTool[],
  maker: SchemaMaker,
): UsableTools {
  const warnings: string[] = [];
  const tools: ForeignToolInfo[] = [];
  const taken = new Set<string>();
  for (const tool of listed.slice(0, MAX_TOOLS)) {
    const made = usable(server, tool, maker, taken);
    if ("problem" in made) {
      warnings.push(`MCP tool "${cleanText(tool.name)}" of ${server} is left out: ${made.problem}`);
    } else {
      taken.add(made.name);
      tools.push(made);
    }
  }
  if (listed.length > MAX_TOOLS) {
    warnings.push(`MCP server ${server} lists ${listed.length} tools: only ${MAX_TOOLS} are used`);
  }
  return { tools: sorted(tools), warnings };
}

/**
 * The tools of several servers, sorted by name. Names of servers that differ can be written alike (`a b`,
 * `a.b`), and no two tools of a request may have one name: the later server's gets another. Pure.
 */
export function joinedTools(lists: readonly (readonly ForeignToolInfo[])[]): ForeignToolInfo[] {
  const taken = new Set<string>();
  const tools = lists.flat().flatMap((info) => {
    const name = taken.has(info.name) ? nameApart(info.server, info.listed.name, taken) : info.name;
    if (name === undefined) return [];
    taken.add(name);
    return [{ ...info, name }];
  });
  return sorted(tools);
}

function sorted(tools: readonly ForeignToolInfo[]): ForeignToolInfo[] {
  return tools.toSorted((a, b) => a.name < b.name ? -1 : 1);
}

function usable(
  server: string,
  tool: ListedTool,
  maker: SchemaMaker,
  taken: ReadonlySet<string>,
): ForeignToolInfo | { readonly problem: string } {
  const input = cleaned(tool.inputSchema);
  if (JSON.stringify(input).length > MAX_SCHEMA_CHARS) {
    return { problem: "its schema is too large" };
  }
  const parameters = maker.schema(input);
  if (!parameters.ok) return parameters;
  const output = tool.outputSchema && maker.schema(cleaned(tool.outputSchema));
  const name = nameApart(server, tool.name, taken);
  if (name === undefined) return { problem: "it is listed twice" };
  return {
    name,
    server,
    description: described(tool),
    parameters: parameters.schema,
    ...(output?.ok && { result: output.schema }),
    listed: tool,
  };
}

function described({ title, description, name }: ListedTool): string {
  const text = cleanText(description ?? title ?? name).trim();
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  return `${text.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed()}…`;
}

/** A schema with every text in it as a model may see it. */
function cleaned(schema: object): Readonly<Record<string, unknown>> {
  // What went out as JSON comes back as an object.
  return JSON.parse(
    JSON.stringify(schema, (_, value) => typeof value === "string" ? cleanText(value) : value),
  ) as Record<string, unknown>;
}
