"""tools/left_out.py: which skipped tests a run may have, what it prints, and that it knows the parts which CMake names."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import left_out  # noqa: E402

SCRIPT = ROOT / "tools" / "left_out.py"


def case(name: str, output: str, status: str = "run") -> str:
    return f'<testcase name="{name}" status="{status}"><system-out>{escape(output)}</system-out></testcase>'


class LeftOut(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        (self.build / "left_out.txt").write_text("")

    def call(self, *words: str, without: str = "", here: str = "") -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, SCRIPT, *words], input=here, capture_output=True, text=True, check=False,
                              env=os.environ | {"LOCKSTEP_WITHOUT": without})  # fmt: skip

    def after(self, *cases: str, without: str = "", here: str = "") -> subprocess.CompletedProcess:
        results = self.build / "results.xml"
        results.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
        return self.call("after", str(self.build), str(results), without=without, here=here)

    def test_a_part_that_is_off_fails_before_and_after(self) -> None:
        (self.build / "left_out.txt").write_text("libedit\tlibedit was not found\tapt-get install libedit-dev\n")
        before = self.call("before", str(self.build))
        self.assertEqual(before.returncode, 1)
        self.assertIn("libedit was not found", before.stderr)
        self.assertIn("apt-get install libedit-dev; to do without: LOCKSTEP_WITHOUT=libedit", before.stderr)
        self.assertEqual(self.after().returncode, 1)
        self.assertEqual(self.call("before", str(self.build), without="mpfr, libedit").returncode, 0)
        after = self.after(without="libedit")
        self.assertEqual(after.returncode, 0)
        self.assertIn("libedit: libedit was not found; remedy: apt-get install libedit-dev", after.stdout)

    def test_lines_of_the_machine_count(self) -> None:
        self.assertEqual(self.after(here="emacs\tno Emacs\tinstall it\n").returncode, 1)
        self.assertEqual(self.after(here="emacs\tno Emacs\tinstall it\n", without="emacs").returncode, 0)

    def test_skipped_tests(self) -> None:
        skipped = self.after(case("ops_1", "skipped: no Python with pytest, NumPy and ml_dtypes; ./dev test installs them", "notrun"))
        self.assertEqual(skipped.returncode, 1)
        self.assertIn("oracles is off", skipped.stderr)
        page = case("page_0", ". [100%]\nSKIPPED [3] ../browser/chromium.py:25: no Chromium (apt: chromium)\n1 passed, 3 skipped\n")
        self.assertIn("chromium is off", self.after(page).stderr)
        self.assertEqual(self.after(page, without="chromium").returncode, 0)
        arm = self.after(case("arm64_configure", "skipped: no aarch64-linux-gnu-g++ (./dev build arm64 installs it)", "notrun"))
        self.assertEqual(arm.returncode, 0, arm.stderr)
        self.assertIn("arm64: no aarch64-linux-gnu-g++", arm.stdout)

    def test_what_no_rule_knows(self) -> None:
        self.assertIn("unknown is off", self.after(case("new", "skipped: no libfrob here: not installed", "notrun")).stderr)
        self.assertIn("new is missing", self.after(case("new", "", "notrun")).stderr)
        self.assertEqual(self.after(case("unit", "touched_test.cpp:17: Skipped\nthis system does not tell\n", "notrun")).returncode, 0)
        chosen = self.after(case("corpus", "SKIPPED [4] test_fla.py:34: chunk_delta_rule refuses float32\n"))
        self.assertEqual(chosen.returncode, 0)
        self.assertIn("tests that leave themselves out: 4 (chunk_delta_rule refuses float32)", chosen.stdout)

    def test_bad_input(self) -> None:
        self.assertEqual(self.call("before", str(self.build), without="chrome").returncode, 2)
        missing = self.call("after", str(self.build), str(self.build / "none.xml"))
        self.assertEqual(missing.returncode, 1)
        self.assertIn("ctest left no results", missing.stderr)
        (self.build / "left_out.txt").unlink()
        self.assertIn("configure first", self.call("show", str(self.build)).stderr)

    def test_parts_of_cmake_and_dev_are_known(self) -> None:
        texts = [path.read_text() for path in [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake"), *ROOT.glob("*/CMakeLists.txt"), *ROOT.glob("tests/*/CMakeLists.txt")]]
        named = {name for text in texts for name in re.findall(r"^\s*lockstep_left_out\(([\w-]+) \"", text, re.MULTILINE)}
        named |= set(re.findall(r'printf "\$line" ([\w-]+) ', (ROOT / "dev").read_text()))
        named |= {part for _, part, _ in left_out.RULES}
        self.assertGreaterEqual(len(named), 12)
        self.assertEqual(named - left_out.PARTS.keys() - left_out.EXTRAS.keys(), set())


if __name__ == "__main__":
    unittest.main()
