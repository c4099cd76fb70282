#!/usr/bin/env bash
# run.sh SECONDS [TARGET...]: fuzzes every target that long, from the checked-in corpus; new inputs stay in build-fuzz/corpus.
# Needs clang++-19. Exit 1 when a target crashed, hung or leaked; the input is then in build-fuzz/crashes.
set -u
seconds=${1:?run.sh SECONDS [TARGET...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${LOCKSTEP_FUZZ_BUILD:-$root/build-fuzz}
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || targets=(ttir parser python npy capsule argument ptx expression samples run)
cmake -S "$root" --preset fuzz -B "$build" > /dev/null || exit 1
cmake --build "$build" --target "${targets[@]/%/_fuzz}" || exit 1
status=0
mkdir -p "$build/crashes"
for target in "${targets[@]}"; do
  mkdir -p "$build/corpus/$target"
  echo "== $target, $seconds s"
  inputs=("$build/corpus/$target" "$here/corpus/$target")
  [ "$target" = ttir ] && inputs+=("$root/tests/ttgir/3.6" "$root/tests/ttgir/3.9")
  [ "$target" = run ] && inputs+=("$root/tests/ttgir/3.6" "$root/tests/ttgir/3.9" "$root/tests/golden/ttgir")
  [ "$target" = samples ] && inputs+=("$root/tests/roundtrip/3.6" "$root/tests/roundtrip/3.9")
  dictionary=()
  [ -f "$here/dictionaries/$target.dict" ] && dictionary=("-dict=$here/dictionaries/$target.dict")
  if ! "$build/tests/fuzz/${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    "${dictionary[@]}" -artifact_prefix="$build/crashes/$target-" -print_final_stats=1 \
    "${inputs[@]}" 2> "$build/$target.log"; then
    echo "FAILED: see $build/$target.log"
    grep -E 'ERROR|SUMMARY|Test unit written' "$build/$target.log"
    status=1
  fi
  grep -E 'stat::number_of_executed_units|stat::peak_rss_mb' "$build/$target.log"
done
exit $status
