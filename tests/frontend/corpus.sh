#!/bin/sh
# corpus.sh SCRIPT ARGUMENTS...: runs a script of this folder with the first Python that has the packages; exit 77 (skipped, with the reason) without one.
set -u
here=$(dirname "$0")
for python in "${LOCKSTEP_PYTHON:-}" "$here/../../.cache/venv/bin/python" python3; do
  [ -n "$python" ] || continue
  if "$python" -c "
import importlib.util, sys
names = 'triton torch fla flag_gems liger_kernel torchao unsloth bitsandbytes'.split()
sys.exit(any(importlib.util.find_spec(name) is None for name in names))" 2>/dev/null; then
    script=$1
    shift
    exec "$python" -W ignore "$here/$script" "$@"
  fi
done
echo "skipped: no Python with tests/corpus/requirements.txt"
exit 77
