#!/usr/bin/env bash
# try.sh [--whole] [--every N] [COMPILER[@SUITE]...]: Lockstep with compilers that this machine need not have, each in a Debian suite of its
# own below .cache/compilers or $LOCKSTEP_COMPILERS (1 to 2 GB each; delete them when done), with that suite's libraries: Boost, fmt, Eigen, CMake, Python, pybind11.
# Without an option: the front end over every unit, warnings being errors (syntax.py); --every N: over each N-th.
# --whole: a build from nothing and its quick tests. Exit code 1: a compiler did not pass; 77: no Debian mirror, or no namespaces here.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
cache=${LOCKSTEP_COMPILERS:-$source/.cache/compilers}
jobs=${JOBS:-$(nproc)}
libraries=(base-files bash coreutils grep sed gawk findutils diffutils git cmake ninja-build libboost-dev libfmt-dev libspdlog-dev libeigen3-dev
  nlohmann-json3-dev libcli11-dev zlib1g-dev libedit-dev libgtest-dev libmpfr-dev python3-dev pybind11-dev)

# The oldest suite that has the compiler.
suite_of() {
  case "$1" in
    g++-12 | clang++-1[3-6]) echo bookworm ;;
    g++-1[34] | clang++-1[7-9]) echo trixie ;;
    g++-1[56] | clang++-2[12]) echo forky ;;
    *) echo sid ;;
  esac
}

# enter ROOT COMMAND...: there, with the source read-only as /source. Mounts are this process's own and go with it.
enter() {
  local user=()
  [ "$(id -u)" = 0 ] || user=(-r)
  root=$1 source=$source unshare -m "${user[@]}" bash -c 'set -e
    mkdir -p "$root"/{source,proc,dev,tmp}
    mount --bind "$source" "$root/source" && mount -o remount,bind,ro "$root/source"
    mount --rbind /dev "$root/dev" && mount --rbind /proc "$root/proc"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin HOME=/tmp LANG=C.UTF-8 "$@"' bash "${@:2}"
}

# try COMPILER SUITE
try() {
  local compiler=$1 suite=$2 root=$cache/$2 package code=0 build=/tmp/build-$1 log
  package=${compiler/clang++/clang}
  if [ ! -x "$root/usr/bin/$compiler" ]; then
    echo "== $suite: $compiler and libraries into $root"
    "$here/root.sh" "$suite" "$root" "$package" "${libraries[@]}" || return
  fi
  log=$root/tmp/$compiler.log
  echo "== $compiler ($suite): $(enter "$root" "$compiler" --version | head -1)"
  # shellcheck disable=SC2016
  enter "$root" bash -c '
    compiler=$1 build=$2 jobs=$3 every=$4 whole=$5
    rm -rf "$build"
    cmake -S /source -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DLOCKSTEP_WERROR=ON >/tmp/configure.log 2>&1 || { tail -20 /tmp/configure.log; exit 1; }
    if [ -n "$whole" ]; then
      cmake --build "$build" -j "$jobs" -- -k 0 || exit 1
      ctest --test-dir "$build" -j "$jobs" -L quick -E "lint_fast|left_out" --output-on-failure || exit 1
    else
      cmake --build "$build" --target generated/error_pages.cpp >/dev/null || exit 1
      python3 /source/tests/compilers/syntax.py "$build" --jobs "$jobs" --every "$every"
    fi' bash "$compiler" "$build" "$jobs" "$every" "$whole" >"$log" 2>&1 || code=$?
  if [ "$code" = 0 ]; then grep -E 'units,|tests passed' "$log"; else grep -E 'error|FAILED|units,|tests passed|Failed' "$log" | head -40; fi
  return "$code"
}

whole='' every=1 compilers=() status=0
while [ $# -gt 0 ]; do
  case "$1" in
    --whole) whole=yes ;;
    --every) every=${2:?--every N} && shift ;;
    -*) sed -n '2,5s/^# //p' "$0" >&2 && exit 2 ;;
    *) compilers+=("$1") ;;
  esac
  shift
done
[ "${#compilers[@]}" -gt 0 ] || compilers=(g++-12 g++-13 g++-14 g++-15 g++-16 clang++-16 clang++-17 clang++-18 clang++-19 clang++-21 clang++-22 clang++-23)
unshare -m true 2>/dev/null || unshare -rm true 2>/dev/null || { echo "skipped: no mount namespaces here"; exit 77; }
for compiler in "${compilers[@]}"; do
  suite=${compiler#*@}
  [ "$suite" != "$compiler" ] || suite=$(suite_of "$compiler")
  try "${compiler%@*}" "$suite"
  code=$?
  [ "$code" != 77 ] || exit 77
  [ "$code" = 0 ] || { echo "FAILED: $compiler"; status=1; }
done
exit "$status"
