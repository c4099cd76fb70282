"""`./dev demo`, then `./dev test` in a fresh copy, as far as configuring goes: the demo's Python has no pybind11, that of the
tests has. What the first configuration did not find must not stay unfound, and its absence must not pass for a test run."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FULL_PYTHON = sys.argv.pop(1)  # has headers and pybind11
ROOT = Path(__file__).resolve().parents[2]
# Of this machine nothing else matters here.
OTHER_PARTS = "oracles,corpora,libedit,mpfr,nvrtc,shells,chromium,docs,emacs"


class DemoThenTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lockstep-fresh-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.clone = self.folder / "clone"
        self.clone.mkdir()
        listed = subprocess.run(["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
        files = [name for name in listed.stdout.split(b"\0") if name and os.path.isfile(os.path.join(bytes(ROOT), name))]
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", self.clone], cwd=ROOT, input=b"\0".join(files), check=True)
        subprocess.run([FULL_PYTHON, "-m", "venv", "--without-pip", self.folder / "bare"], check=True)
        self.bare_python = str(self.folder / "bare" / "bin" / "python")

    def dev(self, python: str, *words: str, without: str = OTHER_PARTS, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess:
        settings = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP_")}
        settings |= {"LOCKSTEP_PYTHON": python, "LOCKSTEP_WITHOUT": without, "PATH": path}
        return subprocess.run(["./dev", *words], cwd=self.clone, env=settings, capture_output=True, text=True, check=False)

    def path_without(self, *programs: str) -> str:
        """A PATH that has every program of this machine but these."""
        folder = self.folder / "bin"
        folder.mkdir()
        for place in map(Path, os.environ["PATH"].split(os.pathsep)):
            for program in place.iterdir() if place.is_dir() else ():
                if program.name not in programs and not (folder / program.name).is_symlink():
                    (folder / program.name).symlink_to(program)
        return str(folder)

    def registered(self) -> str:
        return subprocess.run(["ctest", "-N"], cwd=self.clone / "build", capture_output=True, text=True, check=True).stdout

    def test_order(self) -> None:
        if any(glob.glob(f"/usr/{folder}/cmake/pybind11") for folder in ("share", "lib", "lib/*", "local/share", "local/lib")):
            self.skipTest("the system's pybind11 is every Python's")
        demo = self.dev(self.bare_python, "configure")
        self.assertEqual(demo.returncode, 0, demo.stdout + demo.stderr)
        self.assertIn("python-package: ", demo.stdout)
        self.assertIn("has no pybind11", demo.stdout)
        self.assertIn("remedy: ", demo.stdout)
        self.assertNotIn("package_0", self.registered())

        refused = self.dev(self.bare_python, "configure", "tests")
        self.assertEqual(refused.returncode, 1, refused.stdout + refused.stderr)
        self.assertIn("python-package is off", refused.stderr)
        self.assertIn("LOCKSTEP_WITHOUT=python-package", refused.stderr)
        self.assertTrue(refused.stderr.splitlines()[-1].startswith("dev: not tested"), refused.stderr)
        without = self.dev(self.bare_python, "configure", "tests", without=OTHER_PARTS + ",python-package")
        self.assertEqual(without.returncode, 0, without.stderr)

        found = self.dev(FULL_PYTHON, "configure", "tests")
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        self.assertNotIn("python-package", (self.clone / "build" / "left_out.txt").read_text())
        for name in ("package_0", "corpus_0", "page_0", "bench_0"):
            self.assertIn(name, self.registered())

        again = self.dev(self.bare_python, "configure")  # what was found for one Python is not there for another
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("has no pybind11", again.stdout)

        poor = self.path_without("ccache", "apt-get", "sudo")  # nothing can be installed here, and a build can do without
        built = self.dev(self.bare_python, "build", "release", "generated/error_pages.cpp", path=poor)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertIn("without ccache, which cannot be installed here", built.stderr)
        self.assertIn("ccache: no compiler cache is used", built.stderr)


if __name__ == "__main__":
    unittest.main()
