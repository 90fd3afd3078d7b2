#!/usr/bin/env bash
# The step after the model, without any key: outputs, the job's summary, the change as a patch. It
# ends with the exit code that Cordon ended with.
set -euo pipefail

# GitHub takes 1 MiB of outputs a job and of summary a step; a character has at most four bytes.
MAX_CHARACTERS=200000

result() {
  jq -r "$1" <"$REPORT_DIR/result.json" 2>/dev/null || true
}

# $1: name, $2: value of any text; no value can know the line that ends it.
output() {
  local end
  end=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}

# All that differs from HEAD, new files too, by an index of our own. Hooks and watchers that the
# repository names do not run.
write_patch() {
  local git=(git -c core.fsmonitor=false -c core.hooksPath=/dev/null)
  "${git[@]}" rev-parse --verify --quiet HEAD >/dev/null 2>&1 || return 0
  (
    export GIT_INDEX_FILE=$REPORT_DIR/index
    "${git[@]}" read-tree HEAD && "${git[@]}" add --all -- ':/' &&
      "${git[@]}" diff --cached --binary --no-ext-diff --no-textconv HEAD --
  )
}

# A fence that is longer than any in the text.
fence_for() {
  local fence='```'
  while [[ $1 == *"$fence"* ]]; do fence+='`'; done
  printf '%s' "$fence"
}

# Markdown as it is; but a picture is fetched when somebody looks, and its address could carry out
# what the model has read, so such a text is shown as text.
show() {
  local fence
  if grep -qiE '!\[|<(img|picture|source|svg|video|image)' <<<"$1"; then
    fence=$(fence_for "$1")
    printf '%stext\n%s\n%s\n' "$fence" "$1" "$fence"
  else
    printf '%s\n' "$1"
  fi
}

# One line, as the value of a workflow command.
escaped() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

code=$(<"$REPORT_DIR/exit_code")
reason=$(result '.reason // "failed"')
reason=${reason:-failed}
answer=$(result ".text // \"\" | .[0:$MAX_CHARACTERS]")
turns=$(result '.turns // 0')
tokens=$(result '"\(.usage.input_tokens // 0) in, \(.usage.output_tokens // 0) out"')
errors=$(grep '^error: ' "$REPORT_DIR/errors" | head -n 5 || true)
write_patch >"$REPORT_DIR/change.patch" ||
  echo "::warning title=Cordon::git could not say what has changed, so the patch is not whole"
changed=false
[[ ! -s $REPORT_DIR/change.patch ]] || changed=true

output exit-code "$code"
output reason "$reason"
output answer "$answer"
output turns "${turns:-0}"
output changed "$changed"
output patch "$REPORT_DIR/change.patch"
output result "$REPORT_DIR/result.json"

{
  printf '### Cordon: %s\n\n' "${reason//_/ }"
  [[ ! $answer ]] || show "$answer"
  if [[ $errors ]]; then
    fence=$(fence_for "$errors")
    printf '\n%stext\n%s\n%s\n' "$fence" "$errors" "$fence"
  fi
  printf '\n<sub>exit code %s, %s turns, tokens: %s, files changed: %s</sub>\n' \
    "$code" "${turns:-0}" "${tokens:-none}" "$changed"
} >>"$GITHUB_STEP_SUMMARY"

if ((code != 0)); then
  printf '::error title=Cordon::%s\n' "$(escaped "${errors:-ended with $reason}")"
fi
exit "$code"
