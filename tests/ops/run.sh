#!/usr/bin/env bash
# run.sh LOCKSTEP [PYTEST-OPTIONS...]: runs the op tests; exit 77 (skipped, with the reason) without pytest, NumPy or ml_dtypes.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
export LOCKSTEP_EXECUTABLE=$1
shift
for python in "${LOCKSTEP_PYTHON:-}" "$folder/../../.cache/venv/bin/python" python3; do
  if [ -n "$python" ] && "$python" -c 'import pytest, numpy, ml_dtypes' 2>/dev/null; then
    exec "$python" -m pytest -q -rs -p no:cacheprovider "$folder" "$@"
  fi
done
echo "skipped: no Python with pytest, NumPy and ml_dtypes; ./dev test installs tests/triton_oracle/requirements.txt into .cache/venv (or set LOCKSTEP_PYTHON)"
exit 77
