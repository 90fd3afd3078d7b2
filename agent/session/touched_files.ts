/** Tools whose value says which files they changed, or showed. */
const TOUCHING: ReadonlyMap<string, "changed" | "read"> = new Map([
  ["write_file", "changed"],
  ["append_file", "changed"],
  ["edit_file", "changed"],
  ["patch", "changed"],
  ["patch_many", "changed"],
  ["patch_anchored", "changed"],
  ["morph", "changed"],
  ["read_file", "read"],
  ["view_anchored", "read"],
]);

/** The files that tools say they touched, as they were named; what commands did is not known. */
export class TouchedFiles {
  readonly #changed = new Set<string>();
  readonly #read = new Set<string>();

  /** Those that were changed, the latest last. */
  get changed(): readonly string[] {
    return [...this.#changed];
  }

  /** Those that were read and not changed, the latest last. */
  get read(): readonly string[] {
    return [...this.#read].filter((path) => !this.#changed.has(path));
  }

  /** Takes the value of a tool's result. */
  note(tool: string, value: unknown): void {
    const how = TOUCHING.get(tool);
    if (how === undefined) return;
    const paths = how === "changed" ? this.#changed : this.#read;
    for (const path of pathsIn(value)) {
      // What was touched again is the latest.
      paths.delete(path);
      paths.add(path);
    }
  }
}

/** The paths of a value that is a yes; one of several files has one value a file. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("files" in value && Array.isArray(value.files)) return value.files.flatMap(pathsIn);
  const refused = "ok" in value && value.ok !== true;
  return !refused && "path" in value && typeof value.path === "string" ? [value.path] : [];
}
