/**
 * Makes docs/tools.md out of the tools themselves:
 * `deno run --allow-read=. --allow-write=docs scripts/tools_page.ts`.
 */
import { join } from "node:path";
import { BUILT_IN_ROLES } from "../agent/children/roles.ts";
import { needsAsFlags, toolStatuses } from "../agent/rights.ts";
import { builtinTools, DEFAULT_TOOLS } from "../tools/mod.ts";
import type { Tool } from "../tools/tool.ts";
import { columns } from "./page/table.ts";
import { type JsonSchema, valueText } from "./page/value_text.ts";

/** Where the page lies. */
export const TOOLS_PAGE = join(import.meta.dirname ?? ".", "../docs/tools.md");

/** Of a description, in columns. */
const WIDTH = 96;

/** The tools that the page tells of: every built-in one. */
export function pageTools(): readonly Tool[] {
  return builtinTools({ bashTimeoutMs: undefined, roles: BUILT_IN_ROLES });
}

/** The page, whole. */
export function toolsPage(): string {
  const tools = pageTools();
  const isDefault = ({ name }: Tool) => DEFAULT_TOOLS.includes(name);
  return `<!-- Made by scripts/tools_page.ts from the tools themselves; edit those. -->

# Tools

What a model can be offered. A tool is offered where it is switched on _and_ its needs are met;
\`cordon tools\` says for this machine, folder and configuration which are, and why others are not.
\`--tools=+python,-bash\` (or \`"tools"\` in the [configuration](configuration.md)) adds to the default
set and takes away, \`--tools=read_file,grep\` replaces it. Tools of MCP servers are called
\`mcp__SERVER__TOOL\` and are not listed here; see [mcp.md](mcp.md).

Needs are Deno's flags; \`WORKSPACE\`, \`STATE\`, \`HOST\` and \`CORDON\` stand for the folder, the state
folder, hosts that you name and this program itself. In a kernel view its mounts meet what the files and programs of a tool need, see
[rights.md](rights.md). \`cordon rights --flags --tools=LIST\` prints the whole \`deno run\` line for a set,
with what Cordon's own processes need.

Each tool has its description in the words that the model is told. Other names that models use for
tools and parameters (\`shell\`, \`file_path\`) are understood, as are numbers and lists given as text;
everything else that does not fit is an error result that says what is wrong. Names may not be
empty and counts not negative, also where it is not said. Limits of time that are too long are shortened.

## The default set

${tools.filter(isDefault).map(section).join("\n")}
## Off until named

\`--tools=+subagents\` switches on all tools that begin with \`subagent\`.

${tools.filter((tool) => !isDefault(tool)).map(section).join("\n")}`;
}

function section(tool: Tool): string {
  const needs = needsAsFlags(tool.needs).map((flag) => `\`${flag}\``).join(" ") || "no right";
  const on = DEFAULT_TOOLS.includes(tool.name) ? "" : `Switched on by \`--tools=+${tool.name}\`. `;
  const lacking = lacksOf(tool);
  const also = lacking.length === 0
    ? ""
    : `\n\nNot offered where\n\n${lacking.map((lack) => `- ${lack}`).join("\n")}`;
  return `### ${tool.name}

\`\`\`text
${filled(tool.description + (tool.describe?.([tool]) ?? ""))}
\`\`\`

${on}Needs ${needs}.${also}

${parameters(tool)}
`;
}

/** What keeps a tool from being offered where every right is granted and nothing is configured. */
function lacksOf(tool: Tool): readonly string[] {
  const [status] = toolStatuses([tool], new Set(), {
    grants: { allows: () => true, extent: () => "all", denied: () => [] },
    confinement: { tier: "1", tierReason: "", profile: "workspace" },
    workspace: "WORKSPACE",
    executable: "cordon",
    applyModel: false,
    search: false,
    net: "none",
    noScreen:
      "no screen can be looked at (X11, Wayland or macOS, with a program that takes pictures)",
    noDesktop: "no desktop can be acted on (X11 with `xdotool`, macOS with `cliclick`)",
    noBrowser: "there is no Chromium, Chrome, Edge or lynx",
  });
  return status?.missing.map(escaped) ?? [];
}

function parameters({ name, parameters }: Tool): string {
  // JSON Schema of ours, made by zod.
  const rows = rowsOf(parameters.json as JsonSchema, "");
  if (rows.length === 0) return `\`${name}\` has no parameters.`;
  return columns([["parameter", "value", "meaning"], ["---", "---", "---"], ...rows]);
}

/** A row for each parameter, and for each member of the objects in a list of them. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([key, part]) => {
    // Zod makes an object of each member's schema, never `true` or `false`.
    const json = part as JsonSchema;
    const standing = required.includes(key) ? "" : "; optional";
    const usual = json.default === undefined ? "" : `, default \`${JSON.stringify(json.default)}\``;
    return [
      [
        `\`${prefix}${key}\``,
        `${valueText(json)}${standing}${usual}`,
        escaped(json.description ?? ""),
      ],
      ...(json.type === "array" ? rowsOf(json.items as JsonSchema, `${prefix}${key}[].`) : []),
      ...(json.type === "object" ? rowsOf(json, `${prefix}${key}.`) : []),
    ];
  });
}

/** Text that means itself in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<]/g, "\\$&");
}

/** Each line broken between words at the page's width. */
function filled(text: string): string {
  return text.split("\n").map((line) => {
    const lines = [""];
    for (const word of line.split(" ")) {
      const last = lines.at(-1) ?? "";
      if (last !== "" && last.length + 1 + word.length > WIDTH) lines.push(word);
      else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
    }
    // What begins with a blank means it, as in a patch.
    return line.startsWith(" ") ? ` ${lines.join("\n")}` : lines.join("\n");
  }).join("\n");
}

if (import.meta.main) await Deno.writeTextFile(TOOLS_PAGE, toolsPage());
