#!/usr/bin/env bash
# The step before the model: what is asked, from the inputs and from GITHUB_EVENT_PATH. It writes
# `task` and `context` into a new folder of RUNNER_TEMP and tells `dir` and `go` as outputs; `go` is
# false where the event asks nothing of us. The task is what people with a say wrote; the context is
# what anybody may have written, and goes to the model as data of stdin.
set -euo pipefail

# Cordon takes at most 1 MiB of stdin, and a model's window is smaller yet.
MAX_CONTEXT_BYTES=400000
# Linux takes 128 KiB as one argument.
MAX_TASK_BYTES=100000

REVIEW='Review the change that stdin shows. Read what surrounds it in the repository. Name only mistakes that you can prove from the code: what goes wrong, with which input, in which file and line, the worst first. Say so where there are none. Change nothing.'

fail() {
  printf '::error title=Cordon::Cannot run the task: %s\n' "$1" >&2
  exit 2
}

event() {
  jq -r "$1" <"$GITHUB_EVENT_PATH"
}

# Whoever wrote the comment, or the issue where there is no comment.
WRITTEN='(.comment // .review // .issue // .pull_request // {})'

# Prints what follows the trigger; fails where the event's text does not begin with it or its author
# has no say.
triggered_task() {
  local body author
  body=$(event "$WRITTEN.body // \"\"")
  author=$(event "$WRITTEN.author_association // \"NONE\"")
  [[ $body == "$TASK_TRIGGER" || $body == "$TASK_TRIGGER"[[:space:]]* ]] || return 1
  case ",${TASK_AUTHORS// /}," in
  *",$author,"*) ;;
  *)
    echo "passed over: an author who is $author may not give tasks" >&2
    return 1
    ;;
  esac
  printf '%s' "${body#"$TASK_TRIGGER"}"
}

write_event() {
  event '(.issue // .pull_request // {}) | select(.number)
    | "#\(.number) \(.title)\n\n\(.body // "")" | rtrimstr("\n\n") + "\n"'
}

# The change of a pull request. Git runs nothing that the repository names.
write_diff() {
  local base head
  base=$(event '.pull_request.base.sha // ""')
  head=$(event '.pull_request.head.sha // ""')
  [[ $base && $head ]] || fail "mode review needs an event pull_request"
  git -c core.fsmonitor=false diff --no-ext-diff --no-textconv "$base...$head" -- 2>/dev/null ||
    fail "git knows no change from $base to $head; check out with fetch-depth: 0"
}

# Prints a file up to the bound, and says where it is cut.
bounded() {
  head -c "$MAX_CONTEXT_BYTES" -- "$1" | iconv -c -f UTF-8 -t UTF-8 || true
  if (($(wc -c <"$1") > MAX_CONTEXT_BYTES)); then
    printf '\n[cut after %s bytes]\n' "$MAX_CONTEXT_BYTES"
  fi
}

# A change can put a link in the place of a file, to what only the runner can read. A whole path is
# the workflow's own.
in_workspace() {
  [[ $1 == /* || $(realpath -- "$1") == "$(realpath -- "$GITHUB_WORKSPACE")"/* ]]
}

# Bytes, not characters, wherever a length counts.
LC_ALL=C

[[ $(command -v jq) ]] || fail "it needs jq on the runner"
dir=$(mktemp -d "$RUNNER_TEMP/cordon-XXXXXX")
echo "dir=$dir" >>"$GITHUB_OUTPUT"

task=$TASK_PROMPT
if [[ $TASK_PROMPT_FILE ]]; then
  [[ -f $TASK_PROMPT_FILE ]] || fail "there is no prompt-file \"$TASK_PROMPT_FILE\""
  in_workspace "$TASK_PROMPT_FILE" ||
    fail "prompt-file \"$TASK_PROMPT_FILE\" leads out of the workspace"
  task+=${task:+$'\n\n'}$(cat -- "$TASK_PROMPT_FILE")
fi

if [[ $TASK_TRIGGER ]]; then
  if ! asked=$(triggered_task); then
    echo "go=false" >>"$GITHUB_OUTPUT"
    exit
  fi
  task+=${task:+$'\n\n'}$asked
fi

: >"$dir/whole"
case $TASK_MODE in
task) [[ ! $TASK_TRIGGER ]] || write_event >"$dir/whole" ;;
review)
  task=$REVIEW${task:+$'\n\n'}$task
  write_event >"$dir/whole"
  write_diff >>"$dir/whole"
  ;;
*) fail "there is no mode \"$TASK_MODE\"; there are task and review" ;;
esac
bounded "$dir/whole" >"$dir/context"
rm -f -- "$dir/whole"

[[ $task =~ [^[:space:]] ]] || fail "neither prompt nor prompt-file nor the event has one"
((${#task} <= MAX_TASK_BYTES)) || fail "it has over $MAX_TASK_BYTES bytes"
printf '%s' "$task" >"$dir/task"
echo "go=true" >>"$GITHUB_OUTPUT"
