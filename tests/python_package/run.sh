#!/usr/bin/env bash
# run.sh STAGED-PACKAGE PART/PARTS MARKERS FOLDER [NAME|-NAME]: one part of the folder's pytest files on the staged package,
# of all of it, of its subfolder NAME or of all but that one.
# Exit 77 (skipped, with the reason) where the Python that the package was built for lacks pytest, torch or triton.
set -u
staged=$1 part=${2%/*} parts=${2#*/} markers=$3 folder=$4 which=${5:-}
case "$which" in
  '') filter=() ;;
  -*) filter=(-not -path "./${which#-}/*") ;;
  *) filter=(-path "./$which/*") ;;
esac
python=${LOCKSTEP_PACKAGE_PYTHON:-python3}
# Triton's cache of this build alone: one of another environment names files that may be gone.
export TRITON_CACHE_DIR=${staged%/*}/triton-cache
export PYTHONPATH=$staged${PYTHONPATH:+:$PYTHONPATH}
if ! "$python" -c 'import pytest, numpy, torch, triton, hypothesis' 2>/dev/null; then
  echo "skipped: $python lacks pytest, NumPy, torch, triton or hypothesis (./dev setup)"
  exit 77
fi
cd "$folder" || exit 1
mapfile -t files < <(find . -name 'test_*.py' -not -path '*/.*' "${filter[@]}" | sort | awk -v part="$part" -v parts="$parts" '(NR - 1) % parts == part')
[ "${#files[@]}" -gt 0 ] || exit 0
"$python" -m pytest -q -rs -p no:cacheprovider -m "$markers" "${files[@]}"
code=$?
[ "$code" = 5 ] && code=0 # no test of this part has the marker
exit "$code"
