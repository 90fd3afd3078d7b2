import { CELL_ARGUMENT, type CellProgram } from "./program.ts";

/** What a cell may touch; folders and files are absolute, and what is written is also read. */
export interface CellRights {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Programs by name. */
  readonly run: readonly string[];
}

/**
 * What V8 is told. Sweeps leave much that is dead at once, and with V8's own limit for it a cell
 * grows from 33 to 46 MB in 200 commands; with this one to 41 MB, and not beyond in 600.
 */
const V8_FLAGS = "--v8-flags=--max-semi-space-size=1";

/**
 * The flags of a cell: nothing of the folder it stands in, of HOME or of the network plays a part.
 * Its packages come from the program's own folder.
 */
const FLAGS = [
  "--no-prompt",
  V8_FLAGS,
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--cached-only",
  "--node-modules-dir=manual",
  "--deny-import",
] as const;

/**
 * The argument array of a cell whose program lies in `folder`, with the rights that it needs and no
 * others. Pure.
 */
export function cellCommand(
  program: CellProgram,
  folder: string,
  rights: CellRights,
): [string, ...string[]] {
  switch (program.form) {
    case "compiled":
      return [program.executable, CELL_ARGUMENT];
    case "module":
      return [
        program.executable,
        "run",
        ...FLAGS,
        ...allow("read", [...rights.read, ...rights.write]),
        ...allow("write", rights.write),
        ...(rights.run.length === 0 ? [] : [`--allow-run=${rights.run.join(",")}`]),
        `${folder}/${program.entry}`,
      ];
  }
}

/** No flag at all for nothing: without a list Deno would allow everything. */
function allow(kind: "read" | "write", paths: readonly string[]): string[] {
  const named = [...new Set(paths.map(nameable))];
  return named.length === 0 ? [] : [`--allow-${kind}=${named.join(",")}`];
}

/**
 * Deno cannot be told a path with a comma (2.9 splits lists there, without an escape): then the
 * folder that holds its first such part is named. The guard and the view know the path itself.
 */
function nameable(path: string): string {
  const comma = path.indexOf(",");
  return comma < 0 ? path : path.slice(0, path.lastIndexOf("/", comma)) || "/";
}

/** The variables of a cell, all of them. `cache` is a folder of its own for what Deno compiled. */
export function cellEnvironment(path: string, cache: string): Record<string, string> {
  return {
    PATH: path,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    DENO_DIR: cache,
    DENO_NO_UPDATE_CHECK: "1",
  };
}
