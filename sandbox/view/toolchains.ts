import { join } from "node:path";
import type { Environment } from "../commands/environment.ts";
import { isInside } from "../rights/grants.ts";

/** Folders that belong to the system and are in every view. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"];

/**
 * Trees of tool chains below HOME that are shown as a whole when PATH leads into them. Only trees
 * that are known to hold programs: others keep credentials beside them, and of those only the
 * folder in PATH is shown.
 */
const TREES = [
  ...".pyenv .rbenv .nodenv .goenv .jenv .nvm .volta .asdf .bun .sdkman .dotnet .opam".split(" "),
  ...".ghcup .juliaup .rye .pixi .elan .swiftly .npm-global .linuxbrew .nix-profile".split(" "),
  ...".deno .local/share/mise .local/share/pnpm .local/share/fnm .config/yarn/global".split(" "),
  ...".local/pipx miniconda3 anaconda3 miniforge3 mambaforge".split(" "),
];

/** What a folder in PATH needs besides itself; both below HOME. */
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
  const folders = [
    ...path.flatMap((folder) => rootsOf(folder.replace(/\/+$/, "") || "/", home)),
    ...(question.caches ? cacheFolders(environment, home) : []),
  ];
  const shown = folders.filter((folder) =>
    ![...SYSTEM, question.workspace].some((known) => isInside(folder, known)) &&
    !hidden.some((secret) => isInside(secret, folder))
  );
  return withoutNested([...new Set(shown)].sort());
}

function rootsOf(folder: string, home: string | undefined): string[] {
  if (home === undefined || !isInside(folder, home)) {
    const tree = SHARED_TREES.find((tree) => isInside(folder, tree));
    return [tree === "/opt" ? optRoot(folder) : tree ?? folder];
  }
  const tree = TREES.find((tree) => isInside(folder, join(home, tree)));
  const companions = Object.entries(COMPANIONS)
    .find(([name]) => folder === join(home, name))?.[1] ?? [];
  const nix = tree === ".nix-profile" ? ["/nix/store"] : [];
  return [
    tree ? join(home, tree) : folder,
    ...companions.map((name) => join(home, name)),
    ...nix,
  ];
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
