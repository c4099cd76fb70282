"""What a campaign prints of what failed: by kernel and axes, alike as one, with the command that comes next."""

import re

from lockstep.campaign import __main__ as command
from lockstep.campaign import failures
from lockstep.campaign.state import State
from scale_plan import SCALE, SOFTMAX

AXES = "[run.axes]\nrows = [1, 5]\ncolumns = [1, 16, 17, 64, 100, 128]\n"
BROKEN = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")


def ran(folder, capsys, text, *words):
    code = command.main(["run", str(folder.write(text)), "--jobs", "1", *words])
    return code, capsys.readouterr().out


def test_a_wrong_result_is_told_by_the_axis_that_explains_it(folder, capsys):
    code, said = ran(folder, capsys, SOFTMAX + AXES)
    assert code == 1
    lines = said.splitlines()
    start = lines.index("softmax: mismatch in 4 of 12 cases")
    assert lines[start + 1] == "  columns 17, 100: 4 of 4; 1, 16, 64, 128: 0 of 8"
    assert re.match(r"  out: \d+ of \d+ elements differ, first", lines[start + 2])
    assert "rows 1" not in said  # says nothing of the failures
    assert said.count("mismatch in") == 1
    words = re.search(r"next: lockstep campaign (shrink .*)", said)[1].split()
    assert command.main([*words, "-o", str(folder.path / "small")]) == 0
    assert "columns" in capsys.readouterr().out


def test_findings_of_the_same_cases_are_one(folder, capsys):
    code, said = ran(folder, capsys, BROKEN + "[run.axes]\nn = [64, 60, 63]\ndtype = ['f32']\nblock = [16]\n")
    assert code == 1
    assert said.count("scale_without_mask: finding in 2 of 3 cases") == 1
    assert "n 60, 63: 2 of 2; 64: 0 of 1" in said
    assert "  LS101 small_kernels.py:16: " in said


def test_what_is_known_or_passes_is_not_told(folder, capsys):
    (folder.path / "known.toml").write_text('[[known]]\nverdict = "mismatch"\nkernel = "softmax"\nreason = "so it is"\n')
    code, said = ran(folder, capsys, SOFTMAX + AXES, "--known", str(folder.path / "known.toml"))
    assert code == 0 and "next:" not in said
    with State(folder.path / "plan.db", writes=False) as state:
        assert "next:" in failures.text_of(state)


def test_cases_that_cannot_run_have_their_own_command(folder, capsys):
    text = '[[run]]\nkind = "kernel"\nfile = "small_kernels.py"\nkernel = "does_not_compile"\ngrid = 1\narguments = { out = "zeros:i32[4]" }\n'
    code, said = ran(folder, capsys, text)
    assert code == 1 and "does_not_compile: refused in 1 of 1 case\n" in said
    assert re.search(r"next: lockstep campaign case \S+ [0-9a-f]{16}", said)


def test_messages_that_differ_by_numbers_are_alike_for_mismatches():
    from lockstep.campaign.report.gather import alike

    one, other = "out: 5 of 34 elements differ, first [0, 0]: -1.5e-05, not inf", "out: 500 of 500 elements differ, first [1, 2]: nan, not 2.0"
    assert alike("mismatch", one) == alike("mismatch", other)
    assert alike("mismatch", one) != alike("mismatch", other.replace("out", "x1"))
    assert alike("crash", "exit code 1") != alike("crash", "exit code 2")
