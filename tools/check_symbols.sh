#!/bin/sh
# Checks that the kernels compiled for one instruction set cannot be picked for another: every symbol that their objects define
# for the linker lies in the namespace of the instruction set. usage: tools/check_symbols.sh BUILD_DIRECTORY
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 BUILD_DIRECTORY" >&2
  exit 2
fi
build=$1
list=$(mktemp)
trap 'rm -f "$list"' EXIT
checked=0
failed=0
for isa in v2 v3 v4 base; do
  find "$build" -path "*lockstep_kernels_$isa.dir*" -name '*.o' >"$list"
  while IFS= read -r object; do
    checked=$((checked + 1))
    # Defined symbols that other objects could bind to: capital letters are global, W, V and u are merged by the linker.
    # A namespace in an Itanium-mangled name is its length followed by the name.
    foreign=$(nm --defined-only "$object" | awk -v "isa=7kernels${#isa}$isa" '$2 ~ /^[A-TV-Zu]$/ && index($3, isa) == 0 {print "  " $2 " " $3}')
    if [ -n "$foreign" ]; then
      echo "$object defines symbols outside of namespace kernels::$isa:"
      echo "$foreign" | c++filt
      failed=1
    fi
  done <"$list"
done
if [ "$checked" -eq 0 ]; then
  echo "$0: no kernel objects below $build" >&2
  exit 2
fi
if [ "$failed" -eq 0 ]; then
  echo "$checked kernel objects: every defined symbol is in its own namespace"
fi
exit "$failed"
