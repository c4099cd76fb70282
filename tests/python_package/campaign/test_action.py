"""action.yml, as far as it goes without GitHub: its steps run in order, each with the shell, the inputs and the outputs that a runner
gives it. Only the installation is left out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
KERNEL = """
import triton
import triton.language as tl


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, 2.0 * tl.load(x + i{mask}), mask=i < n)
"""
PLAN = """
[[run]]
kind = "kernel"
file = "double.py"
kernel = "double"
grid = "{(n + 31) // 32}"
arguments = { x = "randn:f32[{n}]", out = "empty:f32[{n}]", n = "{n}", BLOCK = "32" }
axes = { n = [32, 40] }
"""


class Runner:
    """Runs the action in `folder`; `outputs` and `shown` are what is left of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.outputs, self.shown = folder, {}, ""
        (folder / "bin").mkdir()
        (folder / "bin" / "python").symlink_to(sys.executable)
        shutil.copy(os.environ["LOCKSTEP_EXECUTABLE"], folder / "bin" / "lockstep")

    def run(self, **given: str) -> int:
        inputs = {name: row.get("default", "") for name, row in ACTION["inputs"].items()} | {name.replace("_", "-"): value for name, value in given.items()}
        for step in ACTION["runs"]["steps"]:
            condition = re.fullmatch(r"inputs\.([\w-]+) != ''", step["if"]) if "if" in step else None
            if step["name"] == "Install" or (condition and not inputs[condition[1]]):
                continue
            code = self._step(step, inputs)
            if code != 0:
                return code
        return 0

    def _value(self, expression: str, inputs: dict[str, str]) -> str:
        if expression.startswith("inputs."):
            return inputs[expression.removeprefix("inputs.")]
        named = re.findall(r"steps\.(\w+)\.outputs\.found == 'true'", expression)
        assert named, f"this test does not know {expression}"
        return str(any(self.outputs.get(name, {}).get("found") == "true" for name in named)).lower()

    def _step(self, step: dict, inputs: dict[str, str]) -> int:
        output = self.folder / "output"
        output.write_text("")
        own = {name: re.sub(r"\$\{\{ *(.*?) *\}\}", lambda one: self._value(one[1], inputs), str(text)) for name, text in step.get("env", {}).items()}
        places = {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(self.folder), "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}
        words = [step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        path = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        done = subprocess.run(words, cwd=self.folder, env={**os.environ, **path, **places, **own}, capture_output=True, text=True, check=False)
        self.outputs[step["id"] if "id" in step else step["name"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        self.shown += done.stdout + done.stderr
        return done.returncode


def test_the_action_shows_what_it_finds_and_fails(tmp_path):
    (tmp_path / "double.py").write_text(KERNEL.replace("{mask}", ""))
    (tmp_path / "plan.toml").write_text(PLAN)
    runner = Runner(tmp_path)
    assert runner.run(check_language="double.py", campaign="plan.toml") == 1, runner.shown
    assert runner.outputs["verdict"] == {"found": "true"}
    assert re.search(r"^::error .*LS101", runner.shown, re.MULTILINE), runner.shown
    assert "LS101" in (tmp_path / "summary").read_text()
    assert {"report.html", "report.xml", "report.sarif", "comment.md", "now.db"} <= {one.name for one in (tmp_path / "lockstep-report").iterdir()}


def test_the_action_passes_where_nothing_is_found(tmp_path):
    (tmp_path / "double.py").write_text(KERNEL.replace("{mask}", ", mask=i < n"))
    (tmp_path / "plan.toml").write_text(PLAN)
    runner = Runner(tmp_path)
    assert runner.run(check_language="double.py", campaign="plan.toml") == 0, runner.shown
    assert runner.outputs["verdict"] == {"found": "false"} and "::error" not in runner.shown


def test_fail_false_leaves_the_verdict_to_the_workflow(tmp_path):
    (tmp_path / "double.py").write_text(KERNEL.replace("{mask}", "").replace("tl.store", "tl.stoer"))
    runner = Runner(tmp_path)
    assert runner.run(check_language="double.py", fail="false") == 0, runner.shown
    assert runner.outputs["verdict"] == {"found": "true"} and "::error file=double.py,line=9" in runner.shown
