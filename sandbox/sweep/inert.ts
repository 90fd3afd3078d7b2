/**
 * Whether a file that would be obeyed says nothing that runs or leads elsewhere, so that ordinary
 * work (`git init`, `git clone`, `pip install -e`) leaves no trouble behind. Judged by lists of
 * what is known to be harmless; whatever is not understood is not inert. `path` is relative to
 * `root`, the workspace.
 */
export function isInert(root: string, path: string, bytes: Uint8Array): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const text = decoded(bytes);
  if (text === undefined) return false;
  if (name === ".git") return isPointerInside(root, path, text);
  if (name === "config" || name === "config.worktree") return isPlainGitConfig(text);
  if (name.endsWith(".pth")) return isPlainPathFile(text);
  if (name === "git-rebase-todo" || name === "todo") return isPlainTodo(text);
  return false;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** `gitdir: PATH` of a worktree or submodule, whose repository lies where the sweep looks. */
function isPointerInside(root: string, path: string, text: string): boolean {
  const [, target] = /^gitdir: ([^\0\r\n]+)\n?$/.exec(text) ?? [];
  if (target === undefined) return false;
  const isAbsolute = target.startsWith("/");
  if (isAbsolute && !target.startsWith(`${root}/`)) return false;
  const parts = isAbsolute ? [] : path.split("/").slice(0, -1);
  for (const part of (isAbsolute ? target.slice(root.length) : target).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return false;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  const git = parts.indexOf(".git");
  return git < 0 || ["modules", "worktrees"].includes(parts[git + 1] ?? "");
}

/** Where Python's `splitlines` ends a line. */
// deno-lint-ignore no-control-regex
const PYTHON_LINE_END = /[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** Lines of a `.pth` file that begin with `import` are executed (site module). */
function isPlainPathFile(text: string): boolean {
  return text.split(PYTHON_LINE_END).every((line) => !/^[\s\p{C}]*import\b/u.test(line));
}

/** Commands of an interactive rebase besides `exec` (git-rebase(1)). */
const TODO_LINE =
  /^(|#.*|(p|pick|r|reword|e|edit|s|squash|f|fixup|d|drop|revert) .*|(b|break|noop)|(l|label|t|reset|u|update-ref) .*|(m|merge) .*)$/;

function isPlainTodo(text: string): boolean {
  return text.split("\n").every((line) => TODO_LINE.test(line));
}

/** Settings that name no program, no file and no other place to read settings from. */
const PLAIN_SETTINGS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|sharedrepository|abbrev|compression|longpaths)$/,
  /^extensions\.(objectformat|compatobjectformat|refstorage|worktreeconfig|partialclone|noop)$/,
  /^remote\.[^\n]*\.(fetch|tagopt|prune|prunetags|mirror|promisor|partialclonefilter|skipdefaultupdate|skipfetchall)$/,
  /^branch\.[^\n]*\.(remote|merge|rebase|description|pushremote|autosetupmerge|autosetuprebase)$/,
  /^submodule\.[^\n]*\.(active|branch|ignore|fetchrecursesubmodules|shallow)$/,
  /^submodule\.active$/,
  /^(user)\.(name|email|signingkey|useconfigonly)$/,
  /^(init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|prunetags|parallel)|merge\.(conflictstyle|ff)|rebase\.(autosquash|autostash)|commit\.(verbose|gpgsign)|tag\.gpgsign|gc\.auto|feature\.manyfiles|index\.version|pack\.threads|status\.[a-z]+|color\.[a-z.]+|advice\.[a-z]+|core\.untrackedcache|lfs\.repositoryformatversion)$/,
];

/** Settings that are harmless for some values: where a repository is fetched from. */
const PLAIN_ADDRESSES = /^(remote|submodule)\.[^\n]*\.(url|pushurl)$/;

/** Never `ext::COMMAND`, another helper, or an option. */
const PLAIN_ADDRESS =
  /^(https?|ssh|git|file):\/\/[^-\s][^\s]*$|^[\w.~-]*@?[\w.][\w.-]*:[\w.~/][^\s]*$|^\.{0,2}\/[^\s]*$/;

/**
 * Whether a git configuration holds plain settings alone. The grammar is git's without its odd
 * corners: a continued line, a quote or a comment behind a value is not understood.
 */
export function isPlainGitConfig(text: string): boolean {
  let section: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]*([#;].*)?$/.test(line)) continue;
    const header = sectionOf(line);
    if (header !== undefined) {
      section = header;
      continue;
    }
    const [, key, value = "true"] =
      /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*([^"\\#;\0]*?)[ \t]*)?$/.exec(line) ?? [];
    if (section === undefined || key === undefined) return false;
    if (!isPlainSetting(`${section}.${key.toLowerCase()}`, value)) return false;
  }
  return true;
}

/** `section` or `section.sub`; undefined for any other line. */
function sectionOf(line: string): string | undefined {
  const [, name, quoted] =
    /^[ \t]*\[([A-Za-z][A-Za-z0-9-]*)(?:[ \t]+"((?:[^"\\\0])*)")?\][ \t]*$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  return quoted === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${quoted}`;
}

function isPlainSetting(name: string, value: string): boolean {
  // A submodule's repository names its folder; elsewhere than above itself it names nothing of ours.
  if (name === "core.worktree") return /^(\.\.\/)+[\w.\/-]*$/.test(value);
  if (PLAIN_ADDRESSES.test(name)) return PLAIN_ADDRESS.test(value) && !value.includes("::");
  return PLAIN_SETTINGS.some((pattern) => pattern.test(name));
}
