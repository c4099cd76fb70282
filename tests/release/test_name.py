"""The distribution's name: what the check in lint finds, and what stands beside a staged package."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_name  # noqa: E402

WRONG = (
    "pip install lockstep",
    "venv/bin/pip install lockstep",
    "`pip install lockstep`",
    "pip install --upgrade lockstep",
    'pip install "lockstep[ray]"',
    "pip install -q lockstep==0.1.0 triton",
    "pip install torch lockstep",
    "pipx install lockstep",
    "uvx lockstep run x.py",
    "add lockstep[torch] to your requirements",
    'importlib.metadata.version("lockstep")',
    'name = "lockstep"',
)
RIGHT = (
    "pip install triton-lockstep",
    'pip install "triton-lockstep[ray]"',
    "pip install . && lockstep doctor",
    "(`pip install .`): a backend, `lockstep.active()`",
    "pip install .   # then lockstep runs",
    "pip install dist/triton_lockstep-0.1.0.whl",
    "uvx --from triton-lockstep lockstep run x.py",
    'importlib.metadata.version("triton-lockstep")',
    'name = "triton-lockstep"',
)


class Name(unittest.TestCase):
    def test_every_way_to_install_the_other_project_is_found(self):
        for text in WRONG:
            self.assertEqual(len(check_name.problems_of("a.md", "first\n" + text)), 2 if '"lockstep[' in text else 1, text)
            self.assertIn("a.md:2:", check_name.problems_of("a.md", "first\n" + text)[0])

    def test_our_own_name_is_not(self):
        for text in RIGHT:
            self.assertEqual(check_name.problems_of("a.md", text), [], text)

    def test_nothing_in_the_tree_names_it(self):
        done = subprocess.run([sys.executable, "tools/check_name.py"], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(int(done.stdout.split("name: ")[1].split()[0]), 1000)

    def test_a_staged_package_has_the_distribution_s_metadata_and_no_older_one(self):
        with tempfile.TemporaryDirectory() as folder:
            stale = Path(folder, "lockstep-0.0.9.dist-info")
            stale.mkdir()
            (stale / "entry_points.txt").write_text("[pytest11]\nlockstep = lockstep.pytest_plugin\n")
            words = ["--source", ROOT, "--destination", folder, "--version", "9.8.7"]
            subprocess.run([sys.executable, ROOT / "cmake/stage_package.py", *words], check=True)
            self.assertEqual([path.name for path in Path(folder).glob("*.dist-info")], ["triton_lockstep-9.8.7.dist-info"])
            code = ("from importlib.metadata import entry_points, version\n"
                    "print(version('triton-lockstep'), [p.value for p in entry_points(group='pytest11') if p.name == 'lockstep'])")
            done = subprocess.run([sys.executable, "-S", "-c", code], env={"PYTHONPATH": folder}, capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "9.8.7 ['lockstep.pytest_plugin']\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
