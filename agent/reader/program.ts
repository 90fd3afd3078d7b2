import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The hidden first argument by which a compiled binary runs as a reader (`main.ts`). */
export const READER_ARGUMENT = "--run-as-reader";

/** The reader's module beside the bundle of the portable form. */
export const READER_BUNDLE = "reader.js";

/**
 * The program of a reader as it lies on this machine. From source it is a module of ours with Deno's
 * cache of packages, since its packages have others below them; in the portable form one bundle; a
 * compiled binary runs itself.
 */
export type ReaderProgram =
  | {
    readonly form: "source";
    readonly executable: string;
    /** The project's folder. */
    readonly root: string;
    /** The folder in which Deno keeps what it has from npm. */
    readonly packages: string;
  }
  | { readonly form: "bundle"; readonly executable: string; readonly module: string }
  | { readonly form: "compiled"; readonly executable: string };

/** The program that belongs to the running one. Needs no right: nothing is looked at. */
export function readerProgram(): ReaderProgram {
  const executable = Deno.execPath();
  if (Deno.build.standalone) return { form: "compiled", executable };
  if (!import.meta.url.endsWith(".ts")) {
    const module = fileURLToPath(new URL(READER_BUNDLE, import.meta.url));
    return { form: "bundle", executable, module };
  }
  return {
    form: "source",
    executable,
    root: fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, ""),
    packages: packagesFolder(),
  };
}

/** `DENO_DIR/npm/REGISTRY`, in which a package lies as `NAME/VERSION`. */
function packagesFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.resolve("linkedom")));
  while (basename(dirname(folder)) !== "npm" && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}

/** What of the project's folder a reader from source is made of. */
export const SOURCE_PARTS: readonly string[] = [
  "agent/reader",
  "tools",
  "deno.json",
  "deno.lock",
];

/** The reader's module in the project's folder. */
const SOURCE_ENTRY = "agent/reader/main.ts";

/** Where a reader finds what it is made of. */
export interface ReaderPlaces {
  readonly executable: string;
  /** The project's folder, or the bundle. */
  readonly program: string;
  /** Deno's own folder. */
  readonly cache: string;
}

/** Nothing of the folder it stands in, of HOME or of the network plays a part. */
const FLAGS = ["--quiet", "--no-prompt", "--no-remote", "--cached-only", "--deny-import"] as const;

/** The heap of a reader at the most: a page of 4 MB takes some 400 MB with all its copies. */
const HEAP = "--v8-flags=--max-old-space-size=768";

/** The argument array of a reader; without any `--allow-*` it has no rights. Pure. */
export function readerCommand(
  { form }: Pick<ReaderProgram, "form">,
  { executable, program }: ReaderPlaces,
): [string, ...string[]] {
  switch (form) {
    case "compiled":
      return [executable, READER_ARGUMENT];
    case "bundle": {
      const alone = ["--no-config", "--no-lock", "--node-modules-dir=manual"];
      return [executable, "run", ...FLAGS, HEAP, ...alone, program];
    }
    case "source": {
      const own = ["--frozen", `--config=${program}/deno.json`, "--no-check"];
      return [executable, "run", ...FLAGS, HEAP, ...own, `${program}/${SOURCE_ENTRY}`];
    }
  }
}

/** The variables of a reader, all of them. */
export function readerEnvironment(path: string, cache: string): Record<string, string> {
  return {
    PATH: path,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    DENO_DIR: cache,
    DENO_NO_UPDATE_CHECK: "1",
  };
}
