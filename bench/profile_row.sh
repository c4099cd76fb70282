#!/bin/bash
# Where Lockstep's time of one row goes: bench/profile_row.sh 'softmax f32 1823x781' [seconds]; needs perf.
# PYTHONPATH names the package as for compare.py, PYTHON the interpreter. Prints the symbols above one percent.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=${2:-2}
data=$(mktemp)
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive LOCKSTEP=1 LOCKSTEP_THREADS=${LOCKSTEP_THREADS:-1}
coproc side { exec "${PYTHON:-python3}" "$root/bench/side.py" lockstep 2> /dev/null; }
process=$! # of the coprocess
ask() {
  echo "$1" >&"${side[1]}"
  read -r answer <&"${side[0]}"
}
ask "{\"open\": \"$1\"}"
echo "$answer"
ask '{"burst": 0.1, "most": 1000}'
perf record -q -F 4000 -p "$process" -o "$data" -- sleep "$seconds" > /dev/null 2>&1 &
recorder=$!
ask "{\"burst\": $seconds, \"most\": 1000000}"
wait "$recorder"
kill "$process"
perf report -i "$data" --no-children --percent-limit 1 --sort symbol 2> /dev/null | grep -v '^#' | grep -v '^$' |
  sed -e 's/lockstep::interpreter:://g' -e 's/(anonymous namespace):://g' -e 's/ *$//' | cut -c1-150
rm -f "$data"
