import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The hidden first argument by which a compiled binary runs as a cell (`main.ts`). */
export const CELL_ARGUMENT = "--run-as-cell";

/**
 * The program of a cell as it lies on this machine: ours again, as small as its form allows. From
 * source and in the portable form Deno runs one module of it under `--allow-*` flags; a compiled
 * binary runs itself, with the rights that were frozen into it.
 */
export type CellProgram =
  | {
    readonly form: "module";
    /** The Deno that runs it. */
    readonly executable: string;
    /** Files and folders that have to be in view, by their names in the program's folder. */
    readonly parts: Readonly<Record<string, string>>;
    /** The module to run, by its name in the program's folder. */
    readonly entry: string;
  }
  | { readonly form: "compiled"; readonly executable: string };

/** The cell's module beside the bundle of the portable form. */
export const CELL_BUNDLE = "cell.js";

/** The program that belongs to the running one. Needs no right: nothing is looked at. */
export function cellProgram(): CellProgram {
  const executable = Deno.execPath();
  if (Deno.build.standalone) return { form: "compiled", executable };
  const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  if (!import.meta.url.endsWith(".ts")) {
    return {
      form: "module",
      executable,
      parts: { [CELL_BUNDLE]: beside(CELL_BUNDLE) },
      entry: CELL_BUNDLE,
    };
  }
  return {
    form: "module",
    executable,
    parts: { sandbox: dirname(beside(".")), ...packageParts() },
    entry: "sandbox/cell/main.ts",
  };
}

/** What the files of the cell import: packages without dependencies of their own. */
const PACKAGES = ["ignore", "picomatch"] as const;

/** Where Deno keeps the packages; in view they lie in the program's own `node_modules`. */
function packageParts(): Record<string, string> {
  return Object.fromEntries(PACKAGES.map((name) => {
    const entry = fileURLToPath(import.meta.resolve(name));
    // Both have their entry in the package's own folder.
    return [`node_modules/${name}`, dirname(entry)];
  }));
}
