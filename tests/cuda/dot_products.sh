#!/bin/sh
# Runs dot_products.py with the first Python that has NumPy; exit 77 (skipped, with the reason) without one.
set -u
here=$(dirname "$0")
for python in "${LOCKSTEP_PYTHON:-}" "$here/../../.cache/venv/bin/python" python3; do
  [ -n "$python" ] || continue
  if "$python" -c "import numpy" 2>/dev/null; then exec "$python" "$here/dot_products.py" "$@"; fi
done
echo "skipped: no Python with NumPy"
exit 77
