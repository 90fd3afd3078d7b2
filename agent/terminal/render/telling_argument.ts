/** Arguments that say most of a call, the most telling first. */
const TELLING = ["command", "code", "path", "paths", "pattern", "url", "query", "job_id", "name"];

/** What a call is about, in one line and without the tool's name; may be empty. Not yet safe to draw. */
export function tellingArgument(args: unknown): string {
  if (typeof args !== "object" || args === null) return oneLine(String(args ?? ""));
  // What any object is: its values are looked at one by one.
  const values = args as Readonly<Record<string, unknown>>;
  if (Array.isArray(values["patches"])) return pathsIn(values["patches"]).join(", ");
  if (typeof values["patch"] === "string" && values["path"] === undefined) {
    return codexPaths(values["patch"]).join(", ");
  }
  const key = TELLING.find((key) => values[key] !== undefined);
  if (key === undefined) return "";
  const told = valueText(values[key]);
  const where = key === "pattern" ? values["path"] : undefined;
  return typeof where === "string" ? `${told} in ${oneLine(where)}` : told;
}

function valueText(value: unknown): string {
  if (typeof value === "string") return oneLine(value);
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
  return [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map((found) =>
    found[1] ?? ""
  );
}

/** The first line that says something. */
function oneLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  return lines.length > 1 ? `${first.trimEnd()} …` : first;
}
