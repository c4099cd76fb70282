#!/usr/bin/env bash
# run.sh LOCKSTEP [PYTEST-OPTIONS...]: runs the Python tests; exit 77 (skipped, with the reason) when there is no pytest.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
export LOCKSTEP_EXECUTABLE=$1
shift
for python in "${LOCKSTEP_PYTHON:-}" "$folder/../../.cache/venv/bin/python" python3; do
  if [ -n "$python" ] && "$python" -c 'import pytest, numpy' 2>/dev/null; then
    exec "$python" -m pytest -q -rs -p no:cacheprovider "$folder" "$@"
  fi
done
echo "skipped: no Python with pytest and NumPy; ./dev test installs tests/triton_oracle/requirements.txt into .cache/venv (or set LOCKSTEP_PYTHON)"
exit 77
