import * as z from "zod";
import { nearestNames } from "./nearest_name.ts";
import { schema } from "./schema.ts";
import { defineTool, type Infer, type SkillSummary, text } from "./tool.ts";

const parameters = z.strictObject({
  name: z.string().min(1).optional(),
  query: z.string().min(1).describe("Words to find skills by").optional(),
}).refine(({ name, query }) => (name === undefined) !== (query === undefined), {
  message: "give either name or query",
});

const summary = z.object({ name: z.string(), description: z.string() });

const taken = z.object({
  ok: z.literal(true),
  kind: z.literal("taken"),
  name: z.string(),
  folder: z.string(),
  files: z.array(z.string()),
  body: z.string(),
  /** The body is longer than what is shown of it. */
  cut: z.boolean(),
  allowed_tools: z.array(z.string()).optional(),
});

const found = z.object({
  ok: z.literal(true),
  kind: z.literal("found"),
  skills: z.array(summary),
  /** How many match, shown or not. */
  total: z.number(),
});

const missing = z.object({ ok: z.literal(false), name: z.string(), near: z.array(z.string()) });

const value = z.union([taken, found, missing]);

/** What the model asked about a skill, and what it got. */
export type SkillValue = Infer<typeof value>;

/** Longer instructions are cut, in UTF-16 units: the rest is read by `read_file`. */
const MAX_BODY_CHARS = 50 * 1024;

/** Skills that one search shows. */
const MAX_FOUND = 20;

/** Reads the instructions of a skill, or finds skills by words. */
export const skillTool = defineTool({
  name: "skill",
  description:
    "Load a skill's instructions by name before work that it describes, or find skills by query.",
  parameters: schema(parameters),
  needs: { uses: ["skills"] },
  plan: () => ({ touches: [] }),
  async run({ name, query }, { skills }): Promise<SkillValue> {
    if (name === undefined) return find(query ?? "", await skills.list());
    const skill = await skills.take(name);
    if (!skill) {
      const names = (await skills.list()).map((known) => known.name);
      return { ok: false, name, near: nearestNames(name, names) };
    }
    const { body, allowedTools } = skill;
    return {
      ...{ ok: true, kind: "taken", name: skill.name, folder: skill.folder },
      files: [...skill.files],
      // Half a character would be none.
      body: body.slice(0, MAX_BODY_CHARS).replace(/[\ud800-\udbff]$/, ""),
      cut: body.length > MAX_BODY_CHARS,
      ...(allowedTools && { allowed_tools: [...allowedTools] }),
    };
  },
  result: schema(value),
  render: (value) => [text(rendered(value))],
});

/** The skills that hold every word of the query, those with it in their names first. */
function find(query: string, skills: readonly SkillSummary[]): SkillValue {
  const words = query.toLowerCase().split(/[\s-]+/).filter((word) => word !== "");
  const matching = skills.filter(({ name, description }) => {
    const told = `${name} ${description}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
  const isNamed = ({ name }: SkillSummary) => words.some((word) => name.includes(word));
  const sorted = [...matching.filter(isNamed), ...matching.filter((skill) => !isNamed(skill))];
  const shown = sorted.slice(0, MAX_FOUND).map(({ name, description }) => ({ name, description }));
  return { ok: true, kind: "found", skills: shown, total: matching.length };
}

function rendered(value: SkillValue): string {
  if (!value.ok) {
    const near = value.near.length > 0 ? `: did you mean ${value.near.join(" or ")}?` : "";
    return `There is no skill "${value.name}"${near || "; find one by query"}\n[no such skill]`;
  }
  return value.kind === "taken" ? renderTaken(value) : renderFound(value);
}

function renderTaken({ name, folder, files, body, cut, allowed_tools }: Infer<typeof taken>) {
  return [
    `Skill ${name}, in ${folder}: paths in it are relative to this folder.`,
    ...(files.length > 0 ? [`Its files: ${files.join(", ")}`] : []),
    ...(allowed_tools
      ? [`Until the task ends only these tools are left: ${allowed_tools.join(", ") || "none"}`]
      : []),
    "",
    body,
    ...(cut ? [`[cut at ${MAX_BODY_CHARS / 1024} KB: read on in ${folder}/SKILL.md]`] : []),
  ].join("\n");
}

function renderFound({ skills, total }: Infer<typeof found>): string {
  if (total === 0) return "[no match]";
  const rows = skills.map(({ name, description }) => `${name}: ${description}`);
  const rest = total > skills.length ? [`[${skills.length} of ${total} matches shown]`] : [];
  return [...rows, ...rest].join("\n");
}
