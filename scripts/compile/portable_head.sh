# shellcheck shell=sh disable=SC2154 # the build puts #!/bin/sh and the settings before this text
#
# Unpacks Deno and the program from behind this text into the cache folder, once, and starts them.
# It runs in any POSIX shell with tail, gzip, tar, mktemp and ls. Its variables begin with cordon_,
# since a name that the person exports would reach the program changed.

cordon_say() {
  printf 'cordon: %s\n' "$1" >&2
}

cordon_newline='
'

# Nobody else can have made this folder or the link to it.
cordon_owned() {
  ! [ -L "$1" ] && [ -d "$1" ] && [ -O "$1" ]
}

# $1: text of ls -l; no folder in it lets group or others write.
cordon_closed() {
  case $cordon_newline$1 in
  *"${cordon_newline}d"????[!-]* | *"${cordon_newline}d"???????[!-]*) return 1 ;;
  esac
}

# The cache folder, our folder, and then kind, owner, size and time of each unpacked file: what a cut
# or swapped file changes, without reading 100 MB at each start, and in a single process. The
# archive's times are old, so ls prints them the same for ever. Unbundled packages are not looked at.
cordon_look() {
  cd "$1/program" 2>/dev/null && LC_ALL=C TZ=UTC0 exec ls -lnd -- ../.. .. *
}

# $1: text of cordon_look; prints the part on the files.
cordon_files() {
  cordon_text=${1#*"$cordon_newline"}
  printf '%s\n' "${cordon_text#*"$cordon_newline"}"
}

# $1: the cache folder; whether the program lies in it, whole and ours.
cordon_intact() {
  if ! [ -f "$1/$cordon_hash/listing" ] || ! cordon_owned "$1" || ! cordon_owned "$1/$cordon_hash"; then
    return 1
  fi
  cordon_seen=$(cordon_look "$1/$cordon_hash") || return 1
  cordon_closed "$cordon_seen" &&
    [ "$(cordon_files "$cordon_seen")" = "$(exec cat "$1/$cordon_hash/listing" 2>/dev/null)" ]
}

# $1: the cache folder; makes it when it is not there.
cordon_prepare() {
  mkdir -p "$1" 2>/dev/null || {
    cordon_why="it cannot be made"
    return 1
  }
  if ! cordon_owned "$1" || ! cordon_closed "$(exec ls -lnd "$1")"; then
    cordon_why="it is not a folder that only you can write"
    return 1
  fi
  cordon_new=$(mktemp -d "$1/new.XXXXXX" 2>/dev/null) || {
    cordon_why="it cannot be written"
    return 1
  }
}

# Into $cordon_new. gzip's own checksum tells a damaged payload; its verdict crosses the pipe as a
# file.
cordon_extract() {
  if mkdir "$cordon_new/deno_dir" && cordon_fill "$cordon_new" && [ -f "$cordon_new/whole" ] &&
    [ -f "$cordon_new/program/$cordon_main" ]; then
    "$cordon_new/program/deno" --version </dev/null >/dev/null 2>&1 && return
    cordon_check_platform
    cordon_why="programs cannot run from it"
  elif tail -c "+$cordon_offset" "$0" | gzip -t 2>/dev/null; then
    # On a full disk tar reads on to the end, so that the payload was whole all the same.
    cordon_why="it has no room for $cordon_megabytes MB"
  else
    cordon_discard
    cordon_say "Cannot unpack \"$0\": the file is damaged; fetch it again"
    exit 1
  fi
  return 1
}

# Ends here where Deno was built for other machines.
cordon_check_platform() {
  cordon_machine="$(uname -s) $(uname -m)"
  case $cordon_platform/$cordon_machine in
  'linux x86_64/Linux x86_64' | 'linux aarch64/Linux aarch64') ;;
  'darwin x86_64/Darwin x86_64' | 'darwin aarch64/Darwin arm64') ;;
  *)
    cordon_discard
    cordon_say "Cannot start \"$0\": it is for $cordon_platform, and this is $cordon_machine; fetch the file for it"
    exit 1
    ;;
  esac
}

cordon_fill() {
  tail -c "+$cordon_offset" "$0" | {
    gzip -dc && : >"$1/whole"
  } 2>/dev/null | (cd "$1" && tar -xof -) 2>/dev/null
}

# Puts $cordon_new in place. A rename is atomic; another start that was faster makes mv put ours
# inside its folder, where it harms nothing and is removed.
cordon_install() {
  rm -f "$cordon_new/whole"
  cordon_files "$(cordon_look "$cordon_new")" >"$cordon_new/listing" || return 1
  if ! cordon_intact "$1"; then
    if [ -e "$1/$cordon_hash" ] || [ -L "$1/$cordon_hash" ]; then
      mv "$1/$cordon_hash" "$cordon_new.old" 2>/dev/null
    fi
    mv "$cordon_new" "$1/$cordon_hash" 2>/dev/null
    rm -rf "$1/${cordon_hash:?}/${cordon_new##*/}"
  fi
  cordon_discard
  cordon_intact "$1"
}

cordon_discard() {
  [ -z "$cordon_new" ] || rm -rf "$cordon_new" "$cordon_new.old"
  cordon_new=
}

# Versions that nobody started for a month, and what a killed start left a day ago.
cordon_sweep() {
  find "$1"/*/used -prune -mtime +30 -print 2>/dev/null | while IFS= read -r cordon_used; do
    rm -rf "${cordon_used%/used}"
  done
  find "$1"/new.* -prune -mtime +1 -exec rm -rf {} + 2>/dev/null
}

# $1: the cache folder; unpacks into it, or says in $cordon_why why not.
cordon_unpack() {
  cordon_umask=$(umask)
  umask 077
  cordon_new=
  trap 'cordon_discard; exit 129' HUP
  trap 'cordon_discard; exit 130' INT
  trap 'cordon_discard; exit 143' TERM
  cordon_why="the unpacked files do not stay as they are"
  cordon_prepare "$1" && cordon_extract && cordon_install "$1"
  cordon_status=$?
  cordon_discard
  [ "$cordon_status" -ne 0 ] || cordon_sweep "$1"
  trap - HUP INT TERM
  umask "$cordon_umask"
  return "$cordon_status"
}

# Deno's own variables from outside must not steer the program: they wait under another name until
# Deno runs. Certificates are the person's network and stay.
cordon_move_variables() {
  set -f
  IFS='
'
  for cordon_line in $(export -p); do
    case $cordon_line in
    "export DENO_"* | "declare -x DENO_"*) ;;
    *) continue ;;
    esac
    cordon_name=DENO_${cordon_line#*DENO_}
    cordon_name=${cordon_name%%=*}
    case $cordon_name in
    DENO_CERT | DENO_TLS_CA_STORE | *[!A-Za-z0-9_]*) continue ;;
    esac
    # A line of some variable's text may look like an export: only what is set is moved.
    eval "[ -n \"\${$cordon_name+set}\" ]" || continue
    eval "export CORDON_OUTER_$cordon_name=\"\$$cordon_name\""
    unset "$cordon_name"
  done
  unset IFS
  set +f
}

# $1: the unpacked folder; then the arguments. The process stays, so do its signals and exit code.
cordon_start() {
  cordon_home=$1
  shift
  { true >"$cordon_home/used"; } 2>/dev/null
  cordon_move_variables
  # By this one Deno itself would send each request and all that is written to stderr to a collector,
  # whatever rights it was given; the program sends its own traces.
  unset OTEL_DENO
  export DENO_DIR="$cordon_home/deno_dir" DENO_NO_PACKAGE_JSON=1 DENO_NO_UPDATE_CHECK=1
  # shellcheck disable=SC2086 # a list of flags
  exec "$cordon_home/program/deno" run $cordon_flags \
    "--preload=$cordon_home/program/outer_environment.js" "$cordon_home/program/$cordon_main" "$@"
}

# Ends here where a program is missing: without it a whole file looks damaged, or a disk full.
cordon_check_programs() {
  for cordon_program in cat gzip ls mktemp tail tar; do
    command -v "$cordon_program" >/dev/null || {
      cordon_say "Cannot unpack \"$0\": $cordon_program is not there; install it"
      exit 1
    }
  done
}

cordon_run() {
  case ${XDG_CACHE_HOME-} in
  /*) cordon_cache=$XDG_CACHE_HOME/cordon ;;
  *) case ${HOME-} in
    /*) cordon_cache=$HOME/.cache/cordon ;;
    *) cordon_cache= ;;
    esac ;;
  esac
  [ -n "$cordon_cache" ] && cordon_intact "$cordon_cache" && cordon_start "$cordon_cache/$cordon_hash" "$@"
  case ${TMPDIR-} in
  /*) cordon_other=$TMPDIR/cordon-$(id -u) ;;
  *) cordon_other=/tmp/cordon-$(id -u) ;;
  esac
  # An earlier start could not use the cache; to try that again at each one would take a second of it.
  cordon_instead=$cordon_other/$cordon_hash/instead
  cordon_intact "$cordon_other" && [ "$(exec cat "$cordon_instead" 2>/dev/null)" = "$cordon_cache" ] &&
    cordon_start "$cordon_other/$cordon_hash" "$@"
  cordon_check_programs
  if [ -n "$cordon_cache" ]; then
    cordon_unpack "$cordon_cache" && cordon_start "$cordon_cache/$cordon_hash" "$@"
    cordon_reason="Cannot unpack into \"$cordon_cache\": $cordon_why"
  else
    cordon_reason="Cannot unpack into a cache folder: neither XDG_CACHE_HOME nor HOME names one"
  fi
  if cordon_intact "$cordon_other" || cordon_unpack "$cordon_other"; then
    { printf '%s\n' "$cordon_cache" >"$cordon_instead"; } 2>/dev/null
    cordon_say "$cordon_reason; using \"$cordon_other\" instead"
    cordon_start "$cordon_other/$cordon_hash" "$@"
  fi
  cordon_say "$cordon_reason; nor into \"$cordon_other\": $cordon_why; set XDG_CACHE_HOME to a folder of yours"
  exit 1
}

# Ends here, one way or another: what follows is no shell text.
cordon_run "$@"
