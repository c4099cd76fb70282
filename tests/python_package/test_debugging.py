"""lockstep.debug(): launches stop in the debugger, by scripts here, and have their effect as without it."""

import os
import subprocess
import sys
from pathlib import Path

import debug_kernels
import lockstep
import numpy as np
import pytest
import torch
from backend_fixture import on_lockstep  # noqa: F401

HERE = Path(__file__).resolve().parent


def launch(kernel=debug_kernels.scale, size=30, programs=4):
    """(x, out) after a launch that fits the arrays."""
    x, out = torch.arange(float(size)), torch.full((size,), -1.0)
    extra = (3.0,) if kernel is debug_kernels.scale else ()
    kernel[(programs,)](x, out, *extra, size, BLOCK=8)
    return x, out


def batch(*commands, **options):
    return lockstep.debug(commands=commands, batch=True, **options)


def test_only_the_next_launch_stops_and_has_its_effect(capsys):
    batch("break 12", "continue", "print value", "continue", "print row")
    x, out = launch()
    shown = capsys.readouterr().out
    assert torch.equal(out, x * 3)
    assert "program (1,0,0)  scale  debug_kernels.py:12" in shown
    assert "(lockstep) print row\nrow = 1\n" in shown
    x, out = launch()
    assert torch.equal(out, x * 3)
    assert capsys.readouterr().out == ""
    assert lockstep.last_report().programs_run == 4


def test_a_block_stops_every_launch_of_its_kernel(capsys):
    with batch("print factor", kernel=debug_kernels.scale):
        launch(debug_kernels.past_the_end, size=32)
        launch()
        launch()
    launch()
    assert capsys.readouterr().out.count("(lockstep) print factor\nfactor = 3.\n") == 2


def test_skip_and_cancel(capsys):
    later = batch("print x[0]", skip=1)
    launch()
    assert capsys.readouterr().out == ""
    launch()
    assert "(lockstep) print x[0]\nx[0] = 0.\n" in capsys.readouterr().out
    assert "done" in repr(later)
    batch("print x[0]").cancel()
    launch()
    assert capsys.readouterr().out == ""


def test_a_block_without_a_launch_says_so():
    with pytest.warns(UserWarning, match="no launch of scael was made here"), batch(kernel="scael"):
        launch()


def test_what_if_counts():
    batch("break 13 if row == 1", "continue", "set scaled[0] = 100", "set out[0] = 7", "set x[29] = 1")
    x, out = launch()
    expected = torch.arange(30.0) * 3
    expected[8], expected[0], expected[29] = 100, 7, 3
    assert torch.equal(out, expected)
    assert x[29] == 1


def places(schedule):
    count, out = torch.zeros(1, dtype=torch.int32), torch.full((8,), -1, dtype=torch.int32)
    with lockstep.options(schedule=schedule):
        debug_kernels.draws_places[(8,)](count, out)
    return out.tolist()


def test_the_order_of_programs_is_that_of_the_launch(capsys):
    alone = [places(schedule) for schedule in (None, 1, 2, 4)]
    assert alone[0] == list(range(8))
    assert len({tuple(one) for one in alone}) == 4
    for schedule, expected in zip((None, 1, 2, 4), alone, strict=True):
        batch("break op:tt.store", "continue", "print pid", "continue 7", "rc 7", "print pid", "continue 3", "catch race")
        assert places(schedule) == expected
        shown = capsys.readouterr().out
        assert shown.count(f"print pid\npid = {shown.split('print pid')[1].split()[2]}\n") == 2


@pytest.mark.parametrize("last", ["quit", "continue", "rc", "restart", "program 2", "switch 3", "next 3"])
def test_the_launch_comes_to_its_end_from_anywhere(last):
    batch("break 12 if row == 1", "continue", last)
    x, out = launch()
    assert torch.equal(out, x * 3)
    assert lockstep.last_report().finished == [(0, 3)]


def test_kill_raises_and_leaves_what_ran():
    batch("break 12 if row == 1", "continue", "kill")
    x, out = torch.arange(30.0), torch.full((30,), -1.0)
    with pytest.raises(lockstep.DebuggerQuit, match="scale was ended in the debugger"):
        debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)
    assert torch.equal(out[:8], x[:8] * 3)
    assert (out[8:] == -1).all()


def test_kill_with_rollback_leaves_memory_as_it_was():
    batch("break 12 if row == 1", "continue", "kill")
    x, out = torch.arange(30.0), torch.full((30,), -1.0)
    with lockstep.options(rollback=True), pytest.raises(lockstep.DebuggerQuit):
        debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)
    assert (out == -1).all()


def test_a_command_that_cannot_be_done_raises_after_the_launch(capsys):
    batch("print nothing_of_that_name", "print x")
    x, out = torch.arange(30.0), torch.full((30,), -1.0)
    with pytest.raises(lockstep.DebuggerError, match="a command of the debugger failed"):
        debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)
    assert torch.equal(out, x * 3)
    shown = capsys.readouterr().out
    assert "nothing_of_that_name" in shown
    assert "print x" not in shown


def test_without_a_terminal_it_says_what_to_give():
    out = torch.full((30,), -1.0)
    lockstep.debug()
    with pytest.raises(lockstep.DebuggerError, match=r"scale should stop .* commands=\[\.\.\.\]"):
        debug_kernels.scale[(4,)](torch.arange(30.0), out, 3.0, 30, BLOCK=8)
    assert (out == -1).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"history": "much"}, "history"), ({"port": 70000}, "port"), ({"skip": -1}, "skip"), ({"kernel": 3}, "kernel")],
)
def test_wrong_options(options, message):
    with pytest.raises(lockstep.OptionError, match=message):
        lockstep.debug(**options)


def test_a_wrong_catch_and_too_little_history():
    batch(catch="nane")
    with pytest.raises(lockstep.DebuggerError, match="catch: .*nane"):
        launch()
    batch(history=64)
    with pytest.raises(lockstep.DebuggerError, match="history"):
        launch(size=4096, programs=512)


def test_faults_stop_and_raise_as_without_a_debugger(capsys):
    with pytest.raises(lockstep.OutOfBoundsError) as alone, lockstep.options(bounds="view"):
        launch(debug_kernels.past_the_end)
    batch("continue", "print i.max", "rs")
    with pytest.raises(lockstep.OutOfBoundsError) as debugged, lockstep.options(bounds="view"):
        launch(debug_kernels.past_the_end)
    assert str(debugged.value) == str(alone.value)
    assert len(debugged.value.finished_programs) == 3
    assert "finding LS101" in capsys.readouterr().out


def test_rollback_after_a_fault():
    x, out = torch.arange(30.0), torch.full((30,), -1.0)
    batch("continue")
    with lockstep.options(bounds="view", rollback=True), pytest.raises(lockstep.OutOfBoundsError, match="as it was"):
        debug_kernels.past_the_end[(4,)](x, out, 30, BLOCK=8)
    assert (out == -1).all()


def test_catch_finds_where_a_nan_is_born(capsys):
    batch("continue", "print value[0]", catch=["nan"])
    _, out = launch(debug_kernels.divides, size=8, programs=1)
    assert torch.isnan(out[0])
    assert torch.equal(out[1:], torch.ones(7))
    shown = capsys.readouterr().out
    assert "LS602" in shown or "LS601" in shown
    assert "debug_kernels.py:36" in shown


def test_constants_are_known(capsys):
    batch("print BLOCK", "info args")
    launch()
    shown = capsys.readouterr().out
    assert "(lockstep) print BLOCK\nBLOCK = 8\n" in shown
    assert "factor" in shown


def test_prints_come_once(capsys):
    lines = []
    batch("continue", "restart", "continue")
    x = torch.ones(1)
    with lockstep.options(print=lines.append):
        debug_kernels.prints[(1,)](x)
    assert lines == ["pid (0, 0, 0) idx () seen: 1.000000\n"]
    assert x.item() == 2


def test_what_a_print_function_raises_ends_the_launch():
    def refuse(line):
        raise RuntimeError("no")

    batch("continue")
    with lockstep.options(print=refuse), pytest.raises(RuntimeError, match="^no$"):
        debug_kernels.prints[(1,)](torch.ones(1))


def test_read_only_arrays_stay_as_they_are(capsys):
    x = np.arange(30, dtype=np.float32)
    x.flags.writeable = False
    out = np.zeros(30, np.float32)
    batch("set x[0] = 5")
    with pytest.raises(lockstep.DebuggerError):
        debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)
    assert "read-only" in capsys.readouterr().out
    assert x[0] == 0
    assert (out == x * 3).all()


def test_scripts(tmp_path, capsys):
    script = tmp_path / "steps.dbg"
    script.write_text("# where\nnext 2\nprint row\n")
    lockstep.debug(script=script, batch=True)
    launch()
    assert "(lockstep) print row\nrow = 0\n" in capsys.readouterr().out


def test_kernels_of_files_and_numpy(capsys):
    kernel = lockstep.kernel(HERE / "debug_kernels.py", "scale")
    x, out = np.arange(30, dtype=np.float32), np.zeros(30, np.float32)
    batch("break 12", "continue", "print BLOCK", "next", "print scaled[1]")
    report = kernel[(4,)](x, out, 3.0, 30, BLOCK=8)
    assert (out == x * 3).all()
    assert report.programs_run == 4
    shown = capsys.readouterr().out
    assert "(lockstep) print BLOCK\nBLOCK = 8\n(lockstep) next\n" in shown
    assert "scaled[1] = 3.\n" in shown


# ---- breakpoint() ----


def test_breakpoint_is_passed_over_without_a_terminal(capsys):
    for _ in range(2):
        x, out = launch(debug_kernels.stops_itself)
        assert torch.equal(out, x + 1)
    note = capsys.readouterr().err
    assert note.count("\n") == 1
    assert note.startswith(f"lockstep: {HERE / 'debug_kernels.py'}:28: breakpoint() skipped: no terminal")


def test_breakpoint_is_a_stop_of_debug(capsys):
    batch("continue", "print row", "info breaks")
    x, out = launch(debug_kernels.stops_itself)
    assert torch.equal(out, x + 1)
    shown = capsys.readouterr().out
    assert "breakpoint 1\nprogram (2,0,0)  stops_itself  debug_kernels.py:28" in shown
    assert "(lockstep) print row\nrow = 2\n" in shown


def test_breakpoint_of_kernels_that_the_front_end_reads(capsys):
    kernel = lockstep.kernel(HERE / "debug_kernels.py", "stops_itself")
    x, out = np.arange(30, dtype=np.float32), np.zeros(30, np.float32)
    batch("continue", "print row")
    kernel[(4,)](x, out, 30, BLOCK=8)
    assert (out == x + 1).all()
    assert "(lockstep) print row\nrow = 2\n" in capsys.readouterr().out


def test_breakpoint_stays_unknown_to_triton_itself():
    code = (
        "import triton, debug_kernels\n"
        "from triton.backends.compiler import GPUTarget\n"
        "src = triton.compiler.ASTSource(debug_kernels.stops_itself,"
        " {'x': '*fp32', 'out': '*fp32', 'n': 'i32', 'BLOCK': 'constexpr'}, {(3,): 8})\n"
        "triton.compile(src, target=GPUTarget('cuda', 90, 32))\n"
    )
    done = run("-c", code, LOCKSTEP="0")
    assert done.returncode != 0
    assert "breakpoint is not defined" in done.stderr


# ---- from outside ----

PROGRAM = """\
import torch, debug_kernels
x, out = torch.arange(30.0), torch.zeros(30)
for _ in range(2):
    debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)
print("sum", out.sum().item())
"""


def run(*words, text="", **variables):
    package = str(Path(lockstep.__file__).parents[1])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP")}
    environment["PYTHONPATH"] = os.pathsep.join([package, str(HERE), environment.get("PYTHONPATH", "")])
    return subprocess.run([sys.executable, *words], check=False, capture_output=True, text=True, input=text, timeout=240,
                          env=environment | variables)  # fmt: skip


def test_the_command_line_asks_for_it():
    done = run("-m", "lockstep", "--debug-kernel", "scale", "-c", PROGRAM)
    assert done.returncode == 1
    assert "lockstep.errors.DebuggerError: scale should stop in the debugger" in done.stderr
    done = run("-m", "lockstep", "--debug-kernel", "other", "-c", PROGRAM)
    assert done.stdout == "sum 1305.0\n", done.stderr
    done = run("-c", PROGRAM, LOCKSTEP_DEBUG="1", LOCKSTEP="1")
    assert "DebuggerError" in done.stderr
    done = run("-c", PROGRAM, LOCKSTEP_DEBUG_PORT="here", LOCKSTEP="1")
    assert "LOCKSTEP_DEBUG_PORT must be a number" in done.stderr
