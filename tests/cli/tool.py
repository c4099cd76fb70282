"""Calls the `lockstep` under test; the first word of the command line is its path."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

LOCKSTEP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/lockstep"
ROOT = Path(__file__).resolve().parents[2]
KERNELS = "tests/cli/kernels"


def call(*words: str, timeout: float = 60, **environment: str) -> subprocess.CompletedProcess:
    """Runs `lockstep WORDS` in the project's folder, with no settings but these, and without the cache of kernels."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP_")}
    settings |= {"LOCKSTEP_CACHE_DIR": "off"} | environment
    return subprocess.run([LOCKSTEP, *words], cwd=ROOT, capture_output=True, text=True, timeout=timeout, env=settings)


class CommandTest(unittest.TestCase):
    def check(self, code: int, *words: str, **environment: str) -> subprocess.CompletedProcess:
        """Demands an exit code."""
        done = call(*words, **environment)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        return done
