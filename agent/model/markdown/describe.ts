import { isJson } from "../json.ts";
import type { ToolSpec } from "../model.ts";
import { formOf, parametersOf, requiredOf } from "./forms.ts";
import { takesJobLines } from "./parse.ts";
import { writeCall } from "./write_call.ts";

/** The part of the system prompt that tells of the tools and how they are called. */
export function describeTools(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return "";
  const bash = tools.find(({ name }) => name === "bash");
  const jobs = bash && takesJobLines(bash, tools) ? `${JOB_LINES}\n` : "";
  return `${RULES}\n${jobs}\n${tools.map(describe).join("\n\n")}`;
}

const RULES = `# Tools
You use a tool by writing a fenced block whose language is the tool's name. Short parameters stand \
after the name, as a path or as name=value, with quotes around blanks; the lines inside are the main \
parameter. Instead of both, one JSON object of all parameters may stand inside.
- Every such block is run, in order. The next message has a <tool_result> for each. Write a block \
only to run it, and show code to the person in blocks of other languages, as text.
- End your message after the blocks that you need. Never write a <tool_result>, and never guess one. \
A message without such blocks ends the task.
- Fences begin their line. Where the lines inside have fences, begin and end the block with a longer \
one (\`\`\`\`). A block that is not closed is not run.`;

const JOB_LINES =
  "- In bash the lines `bg COMMAND` (run in the background), `jobs`, `output N` and `kill N` are about jobs.";

function describe(tool: ToolSpec): string {
  const required = requiredOf(tool);
  const names = Object.entries(parametersOf(tool)).map(([name, schema]) =>
    `${name}${required.includes(name) ? "" : "?"}${explained(schema)}`
  );
  const parameters = names.length === 0 ? "" : `\nParameters: ${names.join(", ")}`;
  return `## ${tool.name}\n${tool.description}${parameters}\n${exampleOf(tool)}`;
}

function explained(schema: unknown): string {
  return isJson(schema) && typeof schema.description === "string" ? ` (${schema.description})` : "";
}

const HUNK = "<<<<<<< ORIGINAL\nold line\n=======\nnew line\n>>>>>>> UPDATED\n";

/** Calls that show a form better than one made from the parameters would. */
const EXAMPLES: Readonly<Record<string, string>> = {
  append_file: "```append_file notes.txt\nlast line\n```",
  bash: "```bash\ngit status --short\n```",
  edit_file: `\`\`\`edit_file src/a.ts\n${HUNK}\`\`\``,
  glob: "```glob\nsrc/**/*.ts\n```",
  grep: "```grep src include=*.ts\nTODO|FIXME\n```",
  list_dir: "```list_dir src\n```",
  morph: "```morph src/a.ts\n// ... existing code ...\nnew line\n```",
  patch: `\`\`\`patch src/a.ts\n${HUNK}\`\`\``,
  patch_anchored:
    '```patch_anchored src/a.ts\n[{"anchor": "k3fa", "op": "replace", "text": "new line"}]\n```',
  patch_many: `\`\`\`patch_many\n=== PATH: src/a.ts ===\n${HUNK}=== PATH: b.ts ===\n${HUNK}\`\`\``,
  python: "```python\nprint(6 * 7)\n```",
  read_file: "```read_file offset=40 limit=80\nsrc/a.ts\n```",
  skill: "```skill name=release-notes\n```",
  todo_write: "```todo_write\n- [x] read\n- [~] change\n- [ ] test\n```",
  write_file: '```write_file "my notes.txt"\nfirst line\n```',
};

function exampleOf(tool: ToolSpec): string {
  const own = Object.hasOwn(EXAMPLES, tool.name) ? EXAMPLES[tool.name] : undefined;
  if (own !== undefined) return own;
  const { words, body } = formOf(tool);
  const shown = new Set([...requiredOf(tool), ...words.slice(0, 1), ...(body ? [body] : [])]);
  const properties = parametersOf(tool);
  const args = Object.fromEntries([...shown].map((name) => [name, sample(name, properties[name])]));
  return writeCall({ name: tool.name, arguments: JSON.stringify(args) }, [tool]).trimEnd();
}

/** A value of a parameter's type that shows what belongs there. */
function sample(name: string, schema: unknown): unknown {
  if (!isJson(schema)) return "…";
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [sample(name, schema.items)];
    case "object": {
      const properties = isJson(schema.properties) ? schema.properties : {};
      return Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, sample(key, value)]),
      );
    }
    default:
      return name === "path" ? "src/a.ts" : `the ${name.replaceAll("_", " ")}`;
  }
}
