"""lockstep.debug() and breakpoint() at a real terminal: a pty, typed to as a person would."""

import contextlib
import os
import sys
from pathlib import Path

import lockstep
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))
from terminal_session import Session, TooLate  # noqa: E402

PROMPT = "(lockstep) "
PROGRAM = """
import torch, debug_kernels, lockstep
x, out = torch.arange(30.0), torch.zeros(30)
{0}
print("sum", out.sum().item())
"""
SCALE = "debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)"
STOPS = "debug_kernels.stops_itself[(4,)](x, out, 30, BLOCK=8)"


@pytest.fixture
def start(tmp_path):
    def start(body, *options, **variables):
        program = tmp_path / "program.py"
        program.write_text(PROGRAM.format(body))
        package = str(Path(lockstep.__file__).parents[1])
        path = os.pathsep.join([package, str(HERE), os.environ.get("PYTHONPATH", "")])
        known = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP")}
        environment = {**known, "PYTHONPATH": path, "XDG_STATE_HOME": str(tmp_path), **variables}
        words = [sys.executable, "-m", "lockstep", *options, str(program)]
        return Session(words, environment=environment, timeout=120)

    return start


def test_a_session_of_debug(start):
    with start("lockstep.debug()\n" + SCALE) as session:
        session.wait_for(PROMPT)
        session.type("br")
        session.type("eak 12 if row == 1\n")
        session.wait_for(PROMPT)
        session.type("c\n")
        assert "program \x1b[1m(1,0,0)" in session.wait_for(PROMPT)
        session.type("print scaled[0]\n")
        assert "not computed yet" not in session.wait_for(PROMPT)
        session.type("n\n")
        session.wait_for(PROMPT)
        session.type("set scaled[0] = 1000\n")
        session.wait_for(PROMPT)
        session.type("c\n")
        assert "returns to your Python code" in session.wait_for(PROMPT)
        session.type("c\n")
        session.wait_for("sum 2281.0")
        assert session.wait() == 0


def test_tab_completes_and_the_history_is_kept(start, tmp_path):
    with start("lockstep.debug()\n" + SCALE) as session:
        session.wait_for(PROMPT)
        session.type("conti\t")
        session.wait_for("nue")
        session.type("\n")
        session.wait_for(PROMPT)
        session.type("quit\n")
        assert session.wait() == 0
    assert (tmp_path / "lockstep" / "python_debug_history").read_text().splitlines()[-2:] == ["continue", "quit"]


def interrupt(session):
    """Ctrl-C until there is a prompt: CPython loses the signal where it comes between a key and the wait for the next."""
    whole, session.timeout = session.timeout, 5
    for _ in range(whole // session.timeout):
        session.interrupt()
        with contextlib.suppress(TooLate):
            session.wait_for(PROMPT)
            break
    else:
        pytest.fail("no prompt after Ctrl-C")
    session.timeout = whole


def test_ctrl_c_at_the_prompt_forgets_the_line_and_stops_what_runs(start):
    with start("lockstep.debug()\n" + SCALE) as session:
        session.wait_for(PROMPT)
        session.type("kill")
        session.wait_for("kill")
        interrupt(session)
        session.type("log 12 \"row {row}\"\n")
        session.wait_for(PROMPT)
        session.type("quit\n")
        session.wait_for("sum 1305.0")
        assert session.wait() == 0


def test_ctrl_d_leaves(start):
    with start("lockstep.debug()\n" + SCALE) as session:
        session.wait_for(PROMPT)
        session.type("\x04")
        session.wait_for("sum 1305.0")
        assert session.wait() == 0


def test_kill_ends_the_program(start):
    with start("lockstep.debug()\n" + SCALE) as session:
        session.wait_for(PROMPT)
        session.type("kill\n")
        session.wait_for("lockstep.errors.DebuggerQuit: scale was ended in the debugger")
        assert session.wait() == 1


def test_breakpoint_in_a_kernel(start):
    with start(f"{STOPS}\n{STOPS}") as session:
        for _ in range(2):
            assert "program \x1b[1m(2,0,0)" in session.wait_for(PROMPT)
            session.type("print row\n")
            assert "2\r\n" in session.wait_for(PROMPT)
            session.type("c\n")
        session.wait_for("sum 465.0")
        assert session.wait() == 0
        assert "sum 465.0" in session.screen.text()


def test_breakpoint_turned_off(start):
    with start(STOPS, PYTHONBREAKPOINT="0") as session:
        session.wait_for("breakpoint() skipped: PYTHONBREAKPOINT=0")
        session.wait_for("sum 465.0")
        assert session.wait() == 0


def test_the_command_line_stops_the_first_launch_of_a_kernel(start):
    with start(f"{STOPS}\n{SCALE}\n{SCALE}", "--debug-kernel", "scale", PYTHONBREAKPOINT="0") as session:
        assert "scale" in session.wait_for(PROMPT)
        session.type("quit\n")
        session.wait_for("sum 1305.0")
        assert session.wait() == 0


def test_pytest_gives_the_terminal_to_the_debugger(start, tmp_path):
    test = tmp_path / "test_one.py"
    test.write_text(
        "import torch, debug_kernels\n"
        "def test_one():\n"
        "    x, out = torch.arange(30.0), torch.zeros(30)\n"
        f"    {SCALE}\n"
        "    assert out.sum() == 2281\n"
    )
    words = "import sys, pytest; sys.exit(pytest.main(['-p', 'lockstep.pytest_plugin', '--lockstep-debug', '-p', 'no:cacheprovider', %r]))"
    with start(words % str(test), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1") as session:
        session.wait_for(PROMPT)
        session.type("break 13 if row == 1\n")
        session.wait_for(PROMPT)
        session.type("c\n")
        session.wait_for(PROMPT)
        session.type("set scaled[0] = 1000\n")
        session.wait_for(PROMPT)
        session.type("quit\n")
        session.wait_for("1 passed")
        assert session.wait() == 0
