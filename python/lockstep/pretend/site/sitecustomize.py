"""Run at the start of Python processes that a program under `python -m lockstep` starts: they pretend too.

This folder is put first on PYTHONPATH; a sitecustomize module that it hides is run afterwards. Does nothing but
prepare: torch, Triton and Lockstep's engine are loaded when the program imports torch or Triton."""

import importlib.machinery
import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def _run_hidden() -> None:
    others = [place for place in sys.path if os.path.abspath(place or ".") != _here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("LOCKSTEP_PRETEND") in ("0", "1"):
    try:
        from lockstep.pretend import arrival

        arrival.prepare(pretend=os.environ["LOCKSTEP_PRETEND"] == "1")
    except (ImportError, SyntaxError) as error:  # another Python, perhaps
        print(f"lockstep: this process cannot pretend: {error}", file=sys.stderr)
_run_hidden()
