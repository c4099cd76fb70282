"""Runs the replay.py of a witness as a program of its own: `python -m lockstep.mcp.replayed FOLDER`."""

from __future__ import annotations

import os
import runpy
import sys

if __name__ == "__main__":
    runpy.run_path(os.path.join(sys.argv[1], "replay.py"), run_name="__main__")
