#!/usr/bin/env bash
# The one step that has the key: runs the task of the folder RUN_DIR and writes there `result.json`,
# `errors` and `exit_code`. Cordon gets an environment of few names, so neither it nor what it runs
# knows the tokens and command files of the runner. It ends with 0; the report ends with the code.
set -euo pipefail

fail() {
  printf '::error title=Cordon::Cannot ask the model: %s\n' "$1" >&2
  exit 2
}

# A secret is easily stored with a line break, which no header can hold.
RUN_KEY=${RUN_KEY//[$'\r\n']/}

options=()
# $1: option, $2: value; an empty input is not given.
option() {
  [[ ! $2 ]] || options+=("--$1=$2")
}

profile=$RUN_PROFILE
[[ $RUN_MODE != review ]] || profile=${profile:-plan}
option model "$RUN_MODEL"
option base-url "$RUN_BASE_URL"
option provider "$RUN_PROVIDER"
option profile "$profile"
option approval "$RUN_APPROVAL"
option max-turns "$RUN_MAX_TURNS"
option max-budget-usd "$RUN_MAX_BUDGET_USD"
option timeout "$RUN_TIMEOUT"
option tools "$RUN_TOOLS"
option egress "$RUN_EGRESS"
option output-schema "$RUN_OUTPUT_SCHEMA"
option output "$RUN_OUTPUT"
while IFS= read -r line; do
  [[ ! $line ]] || options+=("$line")
done <<<"$RUN_ARGS"

# RUNNER_TEMP itself holds the files by which a step commands the runner.
mkdir -p "$RUN_DIR/tmp"
environment=("PATH=$PATH" "HOME=$HOME" "LANG=C.UTF-8" "NO_COLOR=1" "CI=true" "TMPDIR=$RUN_DIR/tmp")
if [[ $RUN_KEY ]]; then
  # A free name could be PATH or LD_PRELOAD.
  [[ $RUN_KEY_NAME =~ ^[A-Z][A-Z0-9_]*_(KEY|TOKEN)$ ]] ||
    fail "api-key-name \"$RUN_KEY_NAME\" is no name such as OPENAI_API_KEY"
  key_name=$RUN_KEY_NAME
fi

# The key travels in the environment alone: arguments can be read by every process of the machine.
run_cordon() {
  (
    for name in $(compgen -e); do
      case $name in PATH | HOME) ;; *) export -n "${name?}" ;; esac
    done
    export "${environment[@]}"
    [[ ! ${key_name-} ]] || export "$key_name=$RUN_KEY"
    cd -- "$RUN_FOLDER" || exit 2
    exec "$RUN_BINARY" run --output-format=json --color=never --state="$RUNNER_TEMP/cordon-state" \
      "${options[@]}" -- "$(<"$RUN_DIR/task")"
  ) <"$RUN_DIR/context"
}

# No line that the model wrote is a command for the runner, such as ::add-path::.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
code=0
run_cordon >"$RUN_DIR/raw" 2>"$RUN_DIR/raw_errors" || code=$?

# Cordon takes keys out itself; this holds for whatever it does. A shorter key protects nothing, and
# could be a word of the result.
without_key() {
  jq -Rrs 'env.RUN_KEY as $key
    | if ($key | length) < 8 then . else
        split($key) | join("[redacted]") | split($key | tojson[1:-1]) | join("[redacted]")
      end'
}
without_key <"$RUN_DIR/raw" >"$RUN_DIR/result.json"
without_key <"$RUN_DIR/raw_errors" >"$RUN_DIR/errors"
rm -f -- "$RUN_DIR/raw" "$RUN_DIR/raw_errors"
echo "$code" >"$RUN_DIR/exit_code"

cat -- "$RUN_DIR/errors"
jq -r '.text // ""' <"$RUN_DIR/result.json" 2>/dev/null || cat -- "$RUN_DIR/result.json"
echo "::$token::"
