#!/usr/bin/env bash
# configure.sh ROOT: the toolchain file for arm64 configures, and what it finds is arm64's. Exit 77 (skipped, with the reason)
# where the cross compiler or zlib for arm64 is missing; `./dev build arm64` installs both.
set -u
root=$1
command -v aarch64-linux-gnu-g++ >/dev/null || { echo "skipped: no aarch64-linux-gnu-g++ (./dev build arm64 installs it)"; exit 77; }
zlib=$root/.cache/arm64/usr/lib/aarch64-linux-gnu/libz.a
[ -f "$zlib" ] || { echo "skipped: no $zlib (./dev build arm64 unpacks it)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchains/arm64-linux.cmake" -DCMAKE_BUILD_TYPE=Release \
  -DLOCKSTEP_CUDA=OFF -DLOCKSTEP_PYTHON_PACKAGE=OFF -DLOCKSTEP_HEADER_ONLY=ON -DLOCKSTEP_TESTS=OFF >"$folder/log" 2>&1 || {
  cat "$folder/log"
  exit 1
}
grep -q 'lockstep_kernels_base' "$folder/build.ninja" || { echo "no kernels of the variant base"; exit 1; }
if grep -q 'lib/x86_64-linux-gnu/[^ ]*\.\(so\|a\)' "$folder/build.ninja"; then
  echo "a library of the host is linked"
  exit 1
fi
