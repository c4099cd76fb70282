#!/usr/bin/env bash
# hidden.sh LOCKSTEP GUARD.so: parse, compile and run with every GPU library hidden; none may even be asked for.
set -u
lockstep=$1 guard=$2
cd "$(dirname "$0")/../../.." || exit 1
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

if ldd "$lockstep" | grep -E 'libcuda|libnvrtc|libnvidia|libcudart'; then
  fail "a GPU library is linked"
fi

# expect WHAT ALLOWED COMMAND...: exit code 0 under the guard; ALLOWED=none demands that nothing was asked for.
expect() {
  local what=$1 allowed=$2
  shift 2
  rm -f "$folder/log"
  if ! GUARD_LOG="$folder/log" LD_PRELOAD="$guard" CUDA_VISIBLE_DEVICES='' "$lockstep" "$@" > "$folder/out" 2>&1; then
    fail "$what"
    cat "$folder/out"
  fi
  if [ "$allowed" = none ] && [ -s "$folder/log" ]; then
    fail "$what asked for $(sort -u "$folder/log" | tr '\n' ' ')"
  fi
}

arguments=(--grid "cdiv(n, 1024)" "x=randn:f32[5008]" "y=randn:f32[5008]" "out=empty:f32[5008]" n=5008)
expect "run from source" none run examples/vector_add.py::vector_add "${arguments[@]}" BLOCK=1024
expect "run from TTIR" none run examples/ttir/vector_add.ttir "${arguments[@]}"
expect "emit" none emit examples/vector_add.py::vector_add --sig "x=*fp32,y=*fp32,out=*fp32,n=i32" BLOCK=1024 --to ttir
expect "version" none --version
expect "explain" none explain LS101
expect "doctor" any doctor

# The guard itself must be able to fail: doctor looks for a driver, and the guard has to see that.
[ -s "$folder/log" ] || fail "doctor did not look for a driver, or the guard is blind"
[ "$failures" -eq 0 ] && echo "all work with GPU libraries hidden; only doctor asked for them"
exit "$failures"
