import { basename, join, resolve } from "node:path";
import type { Environment } from "../commands/environment.ts";
import { isInside } from "../rights/grants.ts";

/** Folders that belong to the system and are in every view. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"];

/**
 * Trees of tool chains that are shown as a whole when PATH leads into them, whoever's home they lie
 * in: HOME may be set to another one. Only trees that are known to hold programs: others keep
 * credentials beside them, and of those only the folder in PATH is shown.
 */
const TREES = [
  ...".pyenv .rbenv .nodenv .goenv .jenv .nvm .volta .asdf .bun .sdkman .dotnet .opam".split(" "),
  ...".ghcup .juliaup .rye .pixi .elan .swiftly .npm-global .linuxbrew .nix-profile".split(" "),
  ...".deno .local/share/mise .local/share/pnpm .local/share/fnm .config/yarn/global".split(" "),
  ...".local/pipx miniconda3 anaconda3 miniforge3 mambaforge".split(" "),
];

/** Variables that name such a tree, wherever it lies. */
const NAMED_TREES = "PYENV_ROOT RBENV_ROOT NVM_DIR CONDA_PREFIX VIRTUAL_ENV".split(" ");

/**
 * The name of a folder of programs that only start others, by way of their tree. In view without it
 * they would stand before the system's programs of the same names, and fail.
 */
const SHIMS = "shims";

/** What a folder in PATH needs besides itself; both below one home. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  ".cargo/bin": [".rustup"],
  ".local/bin": [
    ...".local/lib .local/pipx .local/share/pipx .local/share/uv .local/share/pnpm".split(" "),
  ],
};

/** Trees outside HOME that are software as a whole, and what links in them lead to. */
const SHARED_TREES = ["/opt", "/nix/store", "/home/linuxbrew/.linuxbrew", "/snap"];

/**
 * Caches of packages: without them nothing builds where there is no network. Not caches of what was
 * built, as Go's: their tools want to write.
 */
const CACHES = [
  ...".cache/deno/npm .cache/deno/remote .npm/_cacache .cargo/registry .cargo/git".split(" "),
  ...".cache/pip .cache/uv go/pkg/mod".split(" "),
];

/** Caches that a variable moves elsewhere: variable, then folder in it. */
const MOVED_CACHES: readonly (readonly [variable: string, folder: string])[] = [
  ["DENO_DIR", "npm"],
  ["DENO_DIR", "remote"],
  ["CARGO_HOME", "registry"],
  ["GOMODCACHE", ""],
];

export interface ToolchainQuestion {
  readonly environment: Environment;
  readonly home?: string | undefined;
  /** Whether known dependency caches are shown. */
  readonly caches: boolean;
  /** What must not come into view by way of PATH: it, or a folder that holds it. */
  readonly hidden: readonly string[];
  /** In view anyway. */
  readonly workspace: string;
}

/**
 * Folders that programs on PATH need, in the order in which they can be mounted; not all of them
 * are there. Pure.
 */
export function toolchainFolders(question: ToolchainQuestion): string[] {
  const { environment, home, hidden } = question;
  const path = (environment["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const named = namedTrees(environment)
    .filter((tree) => !hidden.some((secret) => isInside(secret, tree)));
  const folders = [
    ...path.flatMap((folder) => rootsOf(resolve(folder), named)),
    ...(question.caches ? cacheFolders(environment, home) : []),
  ];
  const shown = folders.filter((folder) =>
    ![...SYSTEM, question.workspace].some((known) => isInside(folder, known)) &&
    !hidden.some((secret) => isInside(secret, folder))
  );
  return withoutNested([...new Set(shown)].sort());
}

function namedTrees(environment: Environment): string[] {
  const values = NAMED_TREES.flatMap((name) => environment[name] ?? []);
  return values.filter((value) => value.startsWith("/")).map((value) => resolve(value));
}

function rootsOf(folder: string, named: readonly string[]): string[] {
  const tree = treeOf(folder, named);
  if (tree !== undefined) return [tree, ...(tree.endsWith("/.nix-profile") ? ["/nix/store"] : [])];
  if (basename(folder) === SHIMS) return [];
  const [name, companions] = Object.entries(COMPANIONS)
    .find(([name]) => folder.endsWith(`/${name}`)) ?? ["", []];
  const home = folder.slice(0, folder.length - name.length);
  return [folder, ...companions.map((companion) => join(home, companion))];
}

/** The whole of the software that a folder is a part of, where that is known. */
function treeOf(folder: string, named: readonly string[]): string | undefined {
  const shared = SHARED_TREES.find((tree) => isInside(folder, tree));
  if (shared !== undefined) return shared === "/opt" ? optRoot(folder) : shared;
  return named.find((tree) => isInside(folder, tree)) ?? knownTree(folder);
}

function knownTree(folder: string): string | undefined {
  const ends = TREES.flatMap((tree) => {
    const start = `${folder}/`.indexOf(`/${tree}/`);
    return start < 0 ? [] : [start + 1 + tree.length];
  });
  return ends.length === 0 ? undefined : folder.slice(0, Math.min(...ends));
}

/** `/opt/x` of `/opt/x/bin`: what else lies in /opt has nothing to do with it. */
function optRoot(folder: string): string {
  return folder.split("/").slice(0, 3).join("/");
}

function cacheFolders(environment: Environment, home: string | undefined): string[] {
  const usual = home === undefined ? [] : CACHES.map((name) => join(home, name));
  const moved = MOVED_CACHES.flatMap(([variable, folder]) => {
    const root = environment[variable];
    return root?.startsWith("/") ? [join(root, folder)] : [];
  });
  return [...usual, ...moved];
}

/** Of sorted folders those that do not lie in another one. */
function withoutNested(folders: readonly string[]): string[] {
  return folders.filter((folder) =>
    !folders.some((other) => other !== folder && isInside(folder, other))
  );
}
