#!/usr/bin/env bash
# try.sh [--program|--whole|--again] [--separate] [--no-tests] [--every N] [COMPILER[@SUITE]...]: Lockstep with compilers that this machine need not
# have, each in a Debian suite of its own below .cache/compilers or $LOCKSTEP_COMPILERS (1 to 2 GB each; delete them when done), with that suite's
# libraries: Boost, fmt, Eigen, CMake, Python, pybind11. Warnings are errors.
# Without an option: the front end over every unit (syntax.py), in the batches that a build has; --every N: over each N-th.
# --program: the program from nothing, and kernels run by it. --whole: everything from nothing, and its quick tests.
# --again: the front end over the units that did not pass the last time. --separate: one file per unit, as developers have them: three times as long.
# --no-tests: the rooms and the Python package's extension only.
# Exit code 1: a compiler did not pass; 77: no Debian mirror, or no namespaces here.
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
  local compiler=$1 suite=$2 root=$cache/$2 package code=0 log cpu
  package=${compiler/clang++/clang}
  if [ ! -x "$root/usr/bin/$compiler" ]; then
    echo "== $suite: $compiler and libraries into $root"
    "$here/root.sh" "$suite" "$root" "$package" "${libraries[@]}" || return
  fi
  log=$root/tmp/$compiler.log
  mkdir -p "$root/tmp"
  echo "== $compiler ($suite, $how): $(enter "$root" "$compiler" --version | head -1)"
  TIMEFORMAT='%U %S %R'
  cpu=$({ time enter "$root" /source/tests/compilers/inside.sh "$compiler" "/tmp/build-$compiler" "$jobs" "$how" "$unity" "$tests" "$every" >"$log" 2>&1; } 2>&1) || code=$?
  if [ "$code" = 0 ]; then grep -E 'units,|tests passed|^smoke' "$log"; else grep -E 'error|FAILED|units,|tests passed|Failed|^smoke' "$log" | head -40; fi
  awk -v cpu="$cpu" 'BEGIN { split(cpu, s, " "); printf "%.0f CPU seconds, %.0f s; log: '"$log"'\n", s[1] + s[2], s[3] }'
  return "$code"
}

how=syntax unity=ON tests=ON every=1 compilers=() status=0
while [ $# -gt 0 ]; do
  case "$1" in
    --program | --whole | --again) how=${1#--} ;;
    --separate) unity=OFF ;;
    --no-tests) tests=OFF ;;
    --every) every=${2:?--every N} && shift ;;
    -*) sed -n '2,9s/^# //p' "$0" >&2 && exit 2 ;;
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
