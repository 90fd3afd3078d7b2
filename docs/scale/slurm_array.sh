#!/bin/bash
# The tasks of a file as an array of Slurm, an element each:
#
#   sbatch --array=0-$(($(grep -c '[^[:space:]]' tasks.jsonl) - 1))%50 slurm_array.sh tasks.jsonl results
#   cordon batch tasks.jsonl --out results --collect
#
# More words are options of cordon: --model, --timeout, --isolation, -C. %50: so many at once at the most.
# What an element has done is not done again, so the same line submits what is left.
#SBATCH --job-name=cordon
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# A minute before the time is up this script is told, and Cordon ends in good order.
#SBATCH --signal=B:TERM@60
set -euo pipefail

# How often an element whose model has no time for it (code 75) is put back in the queue.
MAX_REQUEUES=5

tasks=$1
out=$2
shift 2

cordon batch "$tasks" --out "$out" --task "$SLURM_ARRAY_TASK_ID" "$@" &
child=$!
trap 'kill -TERM "$child" 2>/dev/null || :' TERM
code=0
wait "$child" || code=$?
# A signal cuts the first wait short.
if kill -0 "$child" 2>/dev/null; then
  code=0
  wait "$child" || code=$?
fi
if ((code == 75 && ${SLURM_RESTART_COUNT:-0} < MAX_REQUEUES)); then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$code"
