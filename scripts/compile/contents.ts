/** What both forms of the binary are made of. */
import { fileURLToPath } from "node:url";
import { READER_BUNDLE } from "../../agent/reader/program.ts";
import { CELL_BUNDLE } from "../../sandbox/cell/program.ts";

export { V8_FLAGS } from "../../agent/v8_flags.ts";

/** The project's folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The program's own file. */
export const ENTRY = `${ROOT}main.ts`;

/**
 * The one fixed set of rights of the binary, as Deno's flags: never all, no ffi, and none of the
 * hosts that Deno lets modules come from by default. The program's own `--allow-*` flags narrow it
 * at start.
 */
export const PERMISSIONS: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-net",
  "--allow-env",
  "--allow-sys",
  "--deny-import",
];

/**
 * Files that no literal import names and the binary needs all the same: workers, assets. Modules
 * behind a literal `import()` and wasm behind a bytes import are found by themselves.
 */
export const INCLUDES: readonly string[] = [];

/** Packages that are not bundled, each with the folders in it that are left out. */
export type Unbundled = Readonly<Record<string, readonly string[]>>;

/**
 * Packages that break when they are bundled. They lie beside the bundle as they are, so they must be
 * free of dependencies; each is imported lazily by this name and pinned in deno.json. Left out is
 * what only the package's own programs show to people (recorder, viewer of traces) and its types:
 * 1.6 MB of the file.
 */
export const UNBUNDLED: Unbundled = { "playwright-core": ["lib/vite", "types"] };

/** Modules of the project that are bundled each by itself, by the names of their bundles. */
export type Processes = Readonly<Record<string, string>>;

/**
 * Modules that run as processes of their own under rights of their own, by their names beside the
 * bundle of the portable form, which does not hold them a second time. The compiled form has one
 * program only and finds them in itself.
 */
export const PROCESSES: Processes = {
  [CELL_BUNDLE]: `${ROOT}sandbox/cell/main.ts`,
  [READER_BUNDLE]: `${ROOT}agent/reader/main.ts`,
};
