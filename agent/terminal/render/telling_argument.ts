/** What a call is about. Text of the model, not yet safe to draw. */
export interface Telling {
  /** One line without the tool's name; may be empty. */
  readonly text: string;
  /** How much stands below it, which need not be as harmless. */
  readonly moreLines: number;
}

/** Arguments that say most of a call, the most telling first. */
const TELLING = ["command", "code", "pattern", "path", "paths", "url", "query", "job_id", "name"];

/** What a call's arguments say it is about. */
export function tellingArgument(args: unknown): Telling {
  if (typeof args !== "object" || args === null) return firstLine(String(args ?? ""));
  // What any object is: its values are looked at one by one.
  const values = args as Readonly<Record<string, unknown>>;
  const { patches, patch, path } = values;
  if (Array.isArray(patches)) return firstLine(pathsIn(patches).join(", "));
  if (typeof patch === "string" && path === undefined) {
    return firstLine(codexPaths(patch).join(", "));
  }
  const key = TELLING.find((key) => values[key] !== undefined);
  if (key === undefined) return firstLine("");
  const where = key === "pattern" && typeof path === "string" ? ` in ${path}` : "";
  return firstLine(valueText(values[key]) + where);
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.join(", ");
  }
  return JSON.stringify(value) ?? "";
}

function pathsIn(patches: readonly unknown[]): string[] {
  return patches.flatMap((patch) =>
    typeof patch === "object" && patch !== null && "path" in patch ? [String(patch.path)] : []
  );
}

/** The files of a text that begins with `*** Begin Patch`. */
function codexPaths(patch: string): string[] {
  const headers = patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm);
  return Array.from(headers, ([, path = ""]) => path);
}

function firstLine(text: string): Telling {
  const [first = "", ...more] = text.replace(/^(?:[ \t]*\n)+/, "").trimEnd().split("\n");
  return { text: first, moreLines: more.length };
}
