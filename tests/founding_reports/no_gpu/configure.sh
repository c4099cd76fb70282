#!/usr/bin/env bash
# configure.sh SOURCE: every CUDA setting configures, with a toolkit and without one; none needs a GPU or a driver.
set -u
source=$1
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
failures=0

# configure NAME WANTED PATTERN OPTION...: exit status 0 or 1 as WANTED, and PATTERN in the output.
configure() {
  local name=$1 wanted=$2 pattern=$3 status=0
  shift 3
  cmake -S "$source" -B "$folder/$name" -G Ninja -DLOCKSTEP_TESTS=OFF "$@" > "$folder/log" 2>&1 || status=1
  if [ "$status" -ne "$wanted" ] || ! grep -qE "$pattern" "$folder/log"; then
    echo "FAILED: $name: exit $status, wanted $wanted and '$pattern'"
    tail -n 15 "$folder/log"
    failures=$((failures + 1))
  else
    echo "ok: $name: $(grep -oE "$pattern.*" "$folder/log" | head -n 1)"
  fi
}

hidden=(-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
configure off 0 'CUDA toolkit at build time: OFF' -DLOCKSTEP_CUDA=OFF
configure auto_without_toolkit 0 'CUDA toolkit at build time: OFF' -DLOCKSTEP_CUDA=AUTO "${hidden[@]}"
configure auto 0 'CUDA toolkit at build time: (ON|OFF)' -DLOCKSTEP_CUDA=AUTO
if grep -q 'at build time: ON' "$folder/log"; then
  configure on 0 'CUDA toolkit at build time: ON' -DLOCKSTEP_CUDA=ON
else
  echo "skipped: LOCKSTEP_CUDA=ON: this machine has no toolkit"
fi
configure on_without_toolkit 1 'CUDAToolkit' -DLOCKSTEP_CUDA=ON "${hidden[@]}"
exit "$failures"
