"""Wrong results made small: a capsule with what is right, and a command whose exit code shows the difference."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lockstep.campaign import __main__ as command
from scale_plan import SCALE

GOLDEN = Path(__file__).parents[2] / "golden" / "capsules"
EXECUTABLE = os.environ.get("LOCKSTEP_EXECUTABLE", "")
KERNEL = '\n[[run]]\nkind = "kernel"\nfile = "small_kernels.py"\n'


def shrunk(folder, capsys, text):
    """Runs the plan, shrinks its one case; (what is printed, the command that it names)."""
    folder.run(text)
    (one,) = [one for one in folder.results() if one["result"]["verdict"] in ("mismatch", "finding")]
    capsys.readouterr()
    assert command.main(["shrink", str(folder.path / "plan.db"), one["result"]["id"], "-o", str(folder.path / "small")]) == 0
    said = capsys.readouterr().out
    return said, next((line.strip() for line in said.splitlines() if line.startswith("  lockstep ")), "")


def done(folder, line):
    """The command's exit code and what it printed."""
    if not EXECUTABLE:
        pytest.skip("LOCKSTEP_EXECUTABLE is not set")
    words = shlex.split(line)
    assert words[0] == "lockstep"
    ran = subprocess.run([EXECUTABLE, *words[1:]], capture_output=True, text=True, check=False, cwd=folder.path)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_what_a_reference_says(folder, capsys, dtype):
    axes = f"[run.axes]\nn = [1000]\ndtype = ['{dtype}']\nblock = [64]\nseed = [5]\n"
    said, line = shrunk(folder, capsys, SCALE + 'reference = "numpy:small_sources:scale_wrongly"\n' + axes)
    assert "grid [1, 1, 1]" in said, said
    assert "--expect out=recorded --rtol" in line
    code, text = done(folder, line)
    assert code == 1 and "out differs from what was recorded" in text, text


def test_what_grid_order_leaves(folder, capsys):
    last = KERNEL + 'kernel = "last_writer"\ngrid = "9"\narguments = { out = "zeros:i32[1]", n = 3 }\nreference = "schedule0"\nchecks = "none"\n'
    said, line = shrunk(folder, capsys, last + "[run.axes]\nschedule = [3]\n")
    assert "--schedule 3 --schedule-seed 0" in line and line.endswith("--expect out=recorded --ulp 0")
    grid = int(re.search(r"grid \[(\d+)", said)[1])
    assert 1 < grid < 9
    code, text = done(folder, line)
    assert code == 1 and "out differs" in text, text
    assert done(folder, line.replace("--schedule 3", "--schedule 0"))[0] == 0


def test_what_was_recorded(folder, capsys):
    shutil.copy(GOLDEN / "outside.capsule", folder.path)
    plan = '[[run]]\nkind = "capsule"\npath = "outside.capsule"\nreference = "{}"\n'
    _, line = shrunk(folder, capsys, plan.format("recorded"))
    code, text = done(folder, line)
    assert code == 1 and "out differs" in text, text


def test_what_is_beyond_every_legal_result(folder, capsys, monkeypatch):
    if not EXECUTABLE:
        pytest.skip("LOCKSTEP_EXECUTABLE is not set")
    monkeypatch.setenv("LOCKSTEP_COMMAND", EXECUTABLE)
    shutil.copy(GOLDEN / "outside.capsule", folder.path)
    _, line = shrunk(folder, capsys, '[[run]]\nkind = "capsule"\npath = "outside.capsule"\nreference = "enclosure"\n')
    assert line.startswith("lockstep replay") and done(folder, line)[0] == 1


def test_a_finding_of_a_kernel_of_a_file(folder, capsys):
    broken = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")
    said, line = shrunk(folder, capsys, broken + "[run.axes]\nn = [1000]\ndtype = ['f32']\nblock = [128]\n")
    assert re.search(r"launch scale_without_mask: grid \[1, 1, 1\]", said), said
    assert "--bounds view" in line
    code, text = done(folder, line)
    assert code == 1 and "LS101" in text, text


def test_descriptors_have_sizes_of_their_own(folder, capsys):
    tiles = 'x = "desc(a, block=[16,32])", out = "desc(b, block=[16,32])", a = "randn:f32[64,32]", b = "zeros:f32[64,32]", BLOCK = 16'
    plan = KERNEL + f'kernel = "copy_tile"\ngrid = 4\narguments = {{ {tiles} }}\nreference = "numpy:small_sources:two_more"\n'
    _, line = shrunk(folder, capsys, plan)
    code, text = done(folder, line)
    assert code == 1 and "out differs" in text, text


def test_what_only_a_suite_says(folder, capsys):
    (folder.path / "wrong_suite.py").write_text("def test_wrong():\n    assert 1 == 2\n")
    said, line = shrunk(folder, capsys, '[[run]]\nkind = "tests"\nsuite = "pytest wrong_suite.py"\n')
    assert line == "" and "the suite or function judges the case" in said
    words = re.search(r"lockstep campaign (case .*)", said)[1].split()
    assert command.main(words) == 1
    assert '"verdict": "mismatch"' in capsys.readouterr().out
    assert command.main(["case", words[1], str(folder.path / "plan.toml.json")]) == 2
    sys.modules.pop("wrong_suite", None)
