#!/usr/bin/env bash
# run.sh LOCKSTEP SCRIPT.py [WORDS...]: runs a script of this folder; exit 77 (skipped, with the reason) without NumPy and ml_dtypes.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
export LOCKSTEP_EXECUTABLE=$1
script=$2
shift 2
for python in "${LOCKSTEP_PYTHON:-}" "$folder/../../.cache/venv/bin/python" python3; do
  if [ -n "$python" ] && "$python" -c 'import numpy, ml_dtypes' 2>/dev/null; then
    exec "$python" -W ignore "$folder/$script" "$@"
  fi
done
echo "skipped: no Python with NumPy and ml_dtypes; ./dev test installs tests/triton_oracle/requirements.txt into .cache/venv (or set LOCKSTEP_PYTHON)"
exit 77
