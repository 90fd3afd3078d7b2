/**
 * What reads files of these names unasked, once a person enters the folder, opens it, or works on
 * with git or a package manager. In lower case, since some file systems do not tell cases apart.
 */
const FILES: ReadonlyMap<string, string> = table(
  ["direnv runs it on entering the folder", ".envrc"],
  ["mise runs it on entering the folder", ".mise.toml mise.toml .mise.local.toml mise.local.toml"],
  ["rvm runs it on entering the folder", ".rvmrc"],
  ["a hook manager runs its commands", ".pre-commit-config.yaml .pre-commit-config.yml"],
  ["a hook manager runs its commands", ".huskyrc .huskyrc.json .huskyrc.js .overcommit.yml"],
  ["a hook manager runs its commands", "lefthook.yml lefthook.yaml lefthook.toml lefthook.json"],
  ["a hook manager runs its commands", ".lefthook.yml .lefthook.yaml .lefthook.toml"],
  ["a hook manager runs its commands", "lefthook-local.yml .lefthook-local.yml"],
  ["the package manager obeys it", ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs"],
  ["the package manager obeys it", "bunfig.toml .bunfig.toml .condarc pip.conf"],
  ["the editor runs it when the folder is opened", ".devcontainer.json .exrc .vimrc .nvimrc"],
  ["the editor runs it when the folder is opened", ".nvim.lua .dir-locals.el .dir-locals-2.el"],
  ["the debugger runs it on its start", ".gdbinit .lldbinit"],
  ["Python runs it on its start", "sitecustomize.py usercustomize.py"],
  ["R, Ruby or Julia runs it on its start", ".rprofile .irbrc .pryrc"],
  ["agents start the servers that it names", ".mcp.json mcp.json"],
  ["CI runs it", ".gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .cirrus.yml"],
  ["CI runs it", "jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml"],
  ["CI runs it", ".appveyor.yml .woodpecker.yml .semaphore.yml"],
  ["the build tool runs what it names", ".bazelrc"],
);

/** Folders all of whose files are obeyed like that. */
const FOLDERS: ReadonlyMap<string, string> = table(
  ["the editor runs it when the folder is opened", ".vscode .idea .devcontainer .zed .fleet"],
  ["git runs it as a hook", ".husky .githooks .git-hooks"],
  ["an agent obeys it", ".cordon .claude .cursor .codex .gemini .windsurf"],
  ["CI runs it", ".circleci .buildkite .woodpecker .semaphore"],
  ["the build tool runs what it names", ".cargo .mvn .bundle"],
  ["mise runs it on entering the folder", ".mise"],
);

/** The same for folders in a folder. */
const NESTED_FOLDERS: ReadonlyMap<string, string> = table(
  ["an agent obeys it", ".agents/skills"],
  ["CI runs it", ".github/workflows .github/actions .gitea/workflows .gitea/actions"],
  ["CI runs it", ".forgejo/workflows .forgejo/actions"],
  ["the package manager obeys it", ".yarn/plugins .yarn/releases .config/pip"],
);

/** Where Python reads `.pth` files (site module). */
const SITE_FOLDERS: ReadonlySet<string> = new Set(["site-packages", "dist-packages"]);

/**
 * Of what a package manager unpacked only repositories count: packages ship their own editor and CI
 * files, which nobody obeys there.
 */
export const UNPACKED_FOLDER = "node_modules";

function table(
  ...rows: readonly (readonly [reason: string, names: string])[]
): Map<string, string> {
  return new Map(
    rows.flatMap(([reason, names]) => names.split(" ").map((name) => [name, reason] as const)),
  );
}

/** Why everything in a folder is obeyed, as half a sentence; by its name and that of its parent. */
export function folderReason(parent: string, name: string): string | undefined {
  const lower = name.toLowerCase();
  return FOLDERS.get(lower) ?? NESTED_FOLDERS.get(`${parent.toLowerCase()}/${lower}`);
}

/** Why a file is obeyed wherever it lies, as half a sentence; by its name and that of its folder. */
export function fileReason(folder: string, name: string): string | undefined {
  const lower = name.toLowerCase();
  const known = FILES.get(lower);
  if (known !== undefined) return known;
  if (lower.endsWith(".code-workspace")) return "the editor obeys it when it is opened";
  const isSite = lower.endsWith(".pth") && SITE_FOLDERS.has(folder.toLowerCase());
  return isSite ? "Python runs it on its start" : undefined;
}

/**
 * Why the file at a path of the workspace is obeyed, as half a sentence, as far as names alone tell;
 * undefined where it is not.
 */
export function obeyedReason(path: string): string | undefined {
  const names = path.split("/");
  const name = names.pop() ?? "";
  if (path.toLowerCase().split("/").includes(".git")) return "git obeys what is in its own folder";
  if (names.includes(UNPACKED_FOLDER)) return undefined;
  const folder = names.findIndex((_, index) =>
    folderReason(names[index - 1] ?? "", names[index] ?? "") !== undefined
  );
  if (folder >= 0) return folderReason(names[folder - 1] ?? "", names[folder] ?? "");
  return fileReason(names.at(-1) ?? "", name);
}

/** What git does with a folder in a repository's own: look into it, take all of it, or nothing. */
export type GitFolder = "repositories" | "hooks" | "todo" | "nothing";

/** By the name of a folder right below a repository's own. */
export function gitFolder(name: string): GitFolder {
  switch (name.toLowerCase()) {
    case "hooks":
      return "hooks";
    case "modules":
    case "worktrees":
      return "repositories";
    case "rebase-merge":
    case "rebase-apply":
    case "sequencer":
      return "todo";
    default:
      return "nothing";
  }
}

/** Why git obeys a file right below a repository's own folder. */
export function gitFileReason(name: string): string | undefined {
  const lower = name.toLowerCase();
  return lower === "config" || lower === "config.worktree" ? "git obeys it" : undefined;
}

/** Why git runs a file of the folder `hooks`; the samples that `git init` makes are not run. */
export function hookReason(name: string): string | undefined {
  return name.toLowerCase().endsWith(".sample") ? undefined : "git runs it as a hook";
}

/** Why git obeys a file of an operation that is under way. */
export function todoReason(name: string): string | undefined {
  return name === "git-rebase-todo" || name === "todo" ? "git runs its commands" : undefined;
}

/**
 * Whether a folder of this content is a repository's own, whatever its name: git looks for
 * `objects` and `refs` (a bare one), or for `HEAD` and `commondir` (that of a worktree).
 */
export function looksLikeRepository(has: (name: string) => boolean): boolean {
  return (has("objects") && has("refs")) || (has("HEAD") && has("commondir"));
}
