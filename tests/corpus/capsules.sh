#!/usr/bin/env bash
# capsules.sh record|check|undefined STAGED-PACKAGE LOCKSTEP FOLDER: the steps of the campaign over recorded launches.
# record: fills FOLDER from the tests of five of the packages (minutes; a second time only what is new). check,
# undefined: check_capsules.py and undefined_lanes.py over it. LOCKSTEP_CAPSULES names a folder that record_capsules.py
# filled before, of all packages; it is then taken instead, and nothing is recorded.
# Exit 77 (skipped, with the reason) where the Python that the package was built for lacks pytest, torch or triton.
set -u
step=$1 staged=$2 lockstep=$3 folder=${LOCKSTEP_CAPSULES:-$4}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${LOCKSTEP_PACKAGE_PYTHON:-python3}
export PYTHONPATH=$staged${PYTHONPATH:+:$PYTHONPATH}
if [ -z "${LOCKSTEP_CAPSULES:-}" ] && ! "$python" -c 'import pytest, numpy, torch, triton, hypothesis' 2>/dev/null; then
  echo "skipped: $python lacks pytest, NumPy, torch, triton or hypothesis (./dev setup)"
  exit 77
fi
case "$step" in
  record) [ -n "${LOCKSTEP_CAPSULES:-}" ] || "$python" "$here/record_capsules.py" "$folder" --packages bitsandbytes,liger,torch_sparse,torchao,unsloth ;;
  check) "$python" "$here/check_capsules.py" "$lockstep" "$folder" ;;
  undefined) "$python" "$here/undefined_lanes.py" "$lockstep" "$folder" ;;
  *) echo "record, check or undefined, not '$step'" >&2 && exit 2 ;;
esac
