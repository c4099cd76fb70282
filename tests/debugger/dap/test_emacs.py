"""A real client: Emacs with dap-mode, in batch, debugs a kernel through `lockstep dap` (emacs/session.el says what it does).

Skipped where Emacs or dap-mode is not installed (Debian: emacs-nox, elpa-dap-mode). LOCKSTEP_BLESS=1 writes .expected.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LOCKSTEP = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/lockstep").resolve()
FOLDER = Path(__file__).parent / "emacs"
HAS_DAP_MODE = "(progn (package-initialize) (kill-emacs (if (locate-library \"dap-mode\") 0 1)))"


def has_emacs() -> bool:
    if shutil.which("emacs") is None:
        return False
    return subprocess.run(["emacs", "--batch", "--eval", HAS_DAP_MODE], capture_output=True, check=False).returncode == 0


class Emacs(unittest.TestCase):
    def test_session(self):
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(
                ["emacs", "--batch", "-l", str(FOLDER / "session.el"), str(LOCKSTEP), str(ROOT)],
                cwd=ROOT,
                env=os.environ | {"HOME": home, "LOCKSTEP_CACHE_DIR": "off"},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-4000:])
        expected = FOLDER / "session.expected"
        if os.environ.get("LOCKSTEP_BLESS"):
            expected.write_text(done.stdout)
        self.assertEqual(done.stdout, expected.read_text())


if __name__ == "__main__":
    if not has_emacs():
        print("skipped: no Emacs with dap-mode here")
        sys.exit(77)
    unittest.main()
