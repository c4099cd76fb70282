#!/usr/bin/env bash
# front_end_fuzz.sh LOCKSTEP [OPTIONS...]: front_end_fuzz.py by a Python that has Triton; exit 77 when there is none.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
for python in "${LOCKSTEP_PYTHON:-}" "$folder/../../.cache/venv/bin/python" python3; do
  if [ -n "$python" ] && "$python" -c 'import pytest, triton' 2>/dev/null; then
    exec "$python" "$folder/front_end_fuzz.py" "$@"
  fi
done
echo "skipped: no Python with pytest and Triton (or set LOCKSTEP_PYTHON)"
exit 77
