#!/usr/bin/env bash
# inside.sh COMPILER BUILD JOBS HOW UNITY TESTS EVERY: what try.sh does in a compiler's own root. It prints what was complained about and a last line.
set -eu
compiler=$1 build=$2 jobs=$3 how=$4 unity=$5 tests=$6 every=$7
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
[ "$how" = again ] || rm -rf "$build"
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DLOCKSTEP_WERROR=ON \
  -DLOCKSTEP_UNITY="$unity" -DLOCKSTEP_TESTS="$tests" >"$build.configure.log" 2>&1 || {
  tail -20 "$build.configure.log"
  exit 1
}
case "$how" in
  syntax | again)
    cmake --build "$build" --target generated/error_pages.cpp >/dev/null
    again=()
    [ "$how" = syntax ] || again=(--again)
    python3 "$here/syntax.py" "$build" --jobs "$jobs" --every "$every" "${again[@]}"
    ;;
  program)
    cmake --build "$build" -j "$jobs" --target lockstep_executable -- -k 0
    "$here/smoke.sh" "$build/lockstep"
    ;;
  whole)
    cmake --build "$build" -j "$jobs" -- -k 0
    "$here/smoke.sh" "$build/lockstep"
    ctest --test-dir "$build" -j "$jobs" -L quick -E "lint_fast|left_out" --output-on-failure
    ;;
esac
rm -rf "$build"
