/** What is to be looked for. */
export interface SurveyQuestions {
  readonly workspace: string;
  readonly home?: string | undefined;
  readonly state: string;
  /** Folders wanted where they are there. */
  readonly wanted: readonly string[];
  /** Folders besides the workspace that commands may write. */
  readonly writable: readonly string[];
  /** For root: where what programs need of /etc is copied to. */
  readonly configuration: string;
}

/** What programs need of /etc, where it cannot be shown as a whole: nothing here is secret. */
const CONFIGURATION_NAMES: readonly string[] = [
  ..."passwd group nsswitch.conf hosts host.conf hostname resolv.conf gai.conf".split(" "),
  ..."protocols services networks ld.so.cache ld.so.conf ld.so.conf.d".split(" "),
  ..."ssl/openssl.cnf ca-certificates crypto-policies localtime timezone locale.conf mime.types"
    .split(" "),
  ..."os-release debian_version lsb-release profile bash.bashrc inputrc terminfo".split(" "),
  ..."fonts matplotlibrc java-17-openjdk java-21-openjdk python3 perl maven gradle manpath.config"
    .split(" "),
];

/** The same where a copy would be large. */
const CONFIGURATION_FOLDERS = ["alternatives", "ssl/certs", "pki/tls/certs", "pki/ca-trust"];

/** Files of /proc that say or do too much where this user may use them. */
const PROC_NAMES: readonly string[] = [
  "sysrq-trigger",
  "kcore",
  "keys",
  "kallsyms",
  "timer_list",
];

/** Names whose files the user's shell, editor, git, package managers or Cordon obey unasked. */
const AUTO_RUN_NAMES: readonly string[] = [
  ...".envrc .vscode .idea .husky .devcontainer .devcontainer.json .npmrc .yarnrc".split(" "),
  ...".yarnrc.yml .pre-commit-config.yaml lefthook.yml .lefthook.yml .mcp.json .cordon".split(" "),
];

/** Below the workspace, how deep repositories and auto-run files are looked for. */
const SURVEY_DEPTH = 4;

/**
 * Bash that looks around and prints facts as pairs of a name and a value, each ended by NUL. It
 * runs in a read-only view of the whole machine without network; nothing of the workspace and
 * nothing from the user's PATH is executed. Follows no link below a workspace.
 */
export const SURVEY_SCRIPT = `
set -f
copying=
emit() { printf '%s\\0%s\\0' "$1" "$2"; }
for name in find cp mkdir; do type -P "$name" >/dev/null || { emit missing "$name"; exit; }; done
workspace=$1 home=$2 state=$3 configuration=$4 wanted=$5 names=$6
shift 6
entry() {
  if [[ -d $2 ]]; then emit "$1-folder" "$2"; elif [[ -e $2 ]]; then emit "$1-file" "$2"; fi
}
[[ $EUID == 0 ]] && emit root yes
for name in bin sbin lib lib32 lib64 libx32; do
  if [[ -L /$name && /$name -ef /usr/$name ]]; then emit system-link "$name"
  elif [[ -d /$name ]]; then emit system-folder "/$name"; fi
done
if [[ $EUID == 0 ]]; then
  names_of_etc=()
  for name in ${
  CONFIGURATION_NAMES.join(" ")
}; do [[ -r /etc/$name ]] && names_of_etc+=("$name"); done
  folders_of_etc=()
  for name in ${CONFIGURATION_FOLDERS.join(" ")}; do
    [[ -r /etc/$name ]] || continue
    folders_of_etc+=("$configuration/$name")
    emit configuration "/etc/$name"
  done
  (
    cd /etc && cp -au --parents -- "\${names_of_etc[@]}" "$configuration" || exit
    ((\${#folders_of_etc[@]} == 0)) || mkdir -p "\${folders_of_etc[@]}"
  ) &
  copying=$!
fi
for name in ${PROC_NAMES.join(" ")}; do
  [[ -r /proc/$name || -w /proc/$name ]] && emit proc "/proc/$name"
done
if [[ $home ]] && cd -P -- "$home" 2>/dev/null; then emit home "$PWD"; home=$PWD; fi
cd -P -- "$state" 2>/dev/null && emit state "$PWD"
for ((; wanted > 0; wanted--)); do entry present "$1"; shift; done
exec {identity}< <([[ $home ]] && type -P git >/dev/null &&
  HOME=$home git config --global -z --get-regexp '^user\\.(name|email)$' 2>/dev/null)
repositories=()
look() {
  local path
  while IFS= read -r -d '' path; do
    path=$PWD/\${path#./}
    [[ -L $path ]] && continue
    if [[ \${path##*/} != .git ]]; then entry auto-run "$path"; continue; fi
    if [[ -d $path ]]; then emit repository "$path"; repositories+=("$path")
    else emit auto-run-file "$path"; fi
  done < <(find . -mindepth 1 -maxdepth ${SURVEY_DEPTH} \\( -name node_modules -prune \\) -o \\
    \\( -name .git $names -o -path './.github/workflows' \\) -prune -print0 2>/dev/null)
}
find_store() {
  local line store common back
  IFS= read -r line <.git
  [[ $line == 'gitdir: '* ]] || return
  cd -P -- "\${line#gitdir: }" 2>/dev/null || return
  store=$PWD common=$PWD back=
  if [[ -f commondir ]]; then
    IFS= read -r line <commondir
    IFS= read -r back <gitdir
    [[ $back == /* ]] || back=$store/$back
    cd -P -- "$line" 2>/dev/null || return
    common=$PWD
    [[ $back -ef $workspace/.git ]] || back=
  elif back=$(git config -f config core.worktree) && [[ $back ]]; then
    [[ $back -ef $workspace ]] || back=
  fi
  [[ $common == "$workspace"/* ]] && return
  if [[ $back && -O $store && -O $common ]]; then emit store-trusted "$common"
  else emit store "$common"; fi
  repositories+=("$common")
}
find_around() {
  local folder=$PWD
  while folder=\${folder%/*} && [[ $folder && $folder != "$home" ]]; do
    [[ -e $folder/.git ]] && { emit around "$folder"; return; }
  done
}
cd -P -- "$workspace" || exit 3
workspace=$PWD
emit workspace "$PWD"
[[ -O . ]] && emit owned yes
look
for folder in "$@"; do cd -P -- "$folder" 2>/dev/null && look; done
cd -P -- "$workspace"
[[ -f .git && ! -L .git ]] && find_store
cd -P -- "$workspace"
[[ -e .git ]] || find_around
if ((\${#repositories[@]} > 0)); then
  while IFS= read -r -d '' path; do
    [[ -L $path ]] || entry auto-run "$path"
  done < <(find "\${repositories[@]}" -mindepth 1 -maxdepth 8 \\
    \\( -name objects -o -name refs -o -name logs -o -name lfs \\) -prune -o \\
    \\( -name hooks -o -name config -o -name config.worktree -o -path '*/info/attributes' \\) \\
    -prune -print0 2>/dev/null)
fi
while IFS= read -r -d '' line; do emit identity "$line"; done <&"$identity"
[[ -z $copying ]] || wait "$copying" || exit 4
emit end yes
`;

/** The arguments of {@linkcode SURVEY_SCRIPT}. */
export function surveyArguments(questions: SurveyQuestions): string[] {
  const { workspace, home, state, configuration, wanted, writable } = questions;
  const names = AUTO_RUN_NAMES.map((name) => `-o -name ${name}`).join(" ");
  return [
    ...[workspace, home ?? "", state, configuration],
    ...[String(wanted.length), names, ...wanted, ...writable],
  ];
}
