"""Options, their environment variables, and what `import lockstep` costs."""

import os
import subprocess
import sys
import textwrap

import lockstep
import pytest
from lockstep import progress, settings


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True, text=True, env={**os.environ, **environment}, timeout=120, check=False,
    )  # fmt: skip


def test_import_is_light():
    code = """
        import sys, time
        before = set(sys.modules)
        start = time.process_time()
        import lockstep
        seconds = time.process_time() - start
        lockstep.explain, lockstep.KernelError, dir(lockstep)
        heavy = {"torch", "triton", "numpy", "lockstep._native"} & set(sys.modules)
        from lockstep import settings
        heavy |= {"dataclasses", "inspect", "difflib"} & (set(sys.modules) - before)
        print(seconds * 1000, sorted(heavy))
    """
    times = []
    for _ in range(5):
        milliseconds, heavy = run_python(code).stdout.split(maxsplit=1)
        assert heavy.strip() == "[]"
        times.append(float(milliseconds))
    assert min(times) < 30


def test_every_public_name_exists():
    for name in lockstep.__all__:
        assert getattr(lockstep, name) is not None, name
    assert set(lockstep.__all__) <= set(dir(lockstep))
    assert lockstep.__version__[0].isdecimal()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = lockstep.nothing


def test_options_nest_and_end():
    before = lockstep.get_options()
    with lockstep.options(threads=3, bounds="view") as outer:
        assert (outer.threads, outer.bounds) == (3, "view")
        with lockstep.options(threads=1):
            assert (lockstep.get_options().threads, lockstep.get_options().bounds) == (1, "view")
            lockstep.set_options(timeout=5)
        assert (lockstep.get_options().threads, lockstep.get_options().timeout) == (3, 0.0)
    assert lockstep.get_options() == before


def test_options_end_with_an_exception():
    before = lockstep.get_options()
    with pytest.raises(ZeroDivisionError), lockstep.options(threads=3):
        _ = 1 / 0
    assert lockstep.get_options() == before


def test_options_decorate():
    @lockstep.options(findings="ignore")
    def inner(depth: int) -> str:
        return inner(depth - 1) if depth else lockstep.get_options().findings

    assert inner(2) == "ignore"
    assert lockstep.get_options().findings == "raise"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"thread": 3}, "there is no option 'thread'; did you mean 'threads'?"),
        ({"xyz": 3}, "there is no option 'xyz'; there are timeout, check"),
        ({"threads": -1}, "the option threads must be a whole number from 0 (all cores) to 4096, not -1"),
        ({"threads": True}, "not True"),
        ({"threads": 1.5}, "not 1.5"),
        ({"bounds": "views"}, "the option bounds must be 'storage' or 'view', not 'views'"),
        ({"timeout": -1}, "the option timeout must be a number of seconds"),
        ({"timeout": float("nan")}, "the option timeout must be a number of seconds"),
        ({"max_memory": "lots"}, "the option max_memory must be a size in bytes"),
        ({"max_memory": float("inf")}, "the option max_memory must be a size in bytes"),
        ({"rollback": "perhaps"}, "the option rollback must be True or False"),
        ({"progress": 3}, "the option progress must be True, False, None"),
        ({"print": 3}, "the option print must be a function"),
        ({"findings": "log"}, "'raise' or 'warn' or 'ignore', not 'log'"),
        ({"autotune": "best"}, "'first' or 'all' or 'fastest', not 'best'"),
        ({"config": -1}, "the option config must be a whole number from 0 to 1048576, not -1"),
        ({"target": "gfx942"}, "the option target must be one of "),
    ],
)
def test_wrong_options_say_what_is_right(change, message):
    before = lockstep.get_options()
    for way in (lockstep.options, lockstep.set_options):
        with pytest.raises(ValueError) as caught:
            way(**change)
        assert message in str(caught.value)
        assert isinstance(caught.value, lockstep.OptionError)
    assert lockstep.get_options() == before


@pytest.mark.parametrize(
    ("given", "seconds"),
    [(30, 30.0), (0.5, 0.5), ("30", 30.0), ("200ms", 0.2), ("2 min", 120.0), ("1h", 3600.0), (None, 0.0)],
)
def test_times(given, seconds):
    with lockstep.options(timeout=given) as now:
        assert now.timeout == pytest.approx(seconds)


@pytest.mark.parametrize(("given", "size"), [(1000, 1000), ("2GiB", 2**31), ("500 MB", 500_000_000), ("1.5k", 1500)])
def test_sizes(given, size):
    with lockstep.options(max_memory=given) as now:
        assert now.max_memory == size


@pytest.mark.parametrize("target", ["sm_80", "80", 80])
def test_targets(target):
    with lockstep.options(target=target) as now:
        assert now.target == "sm_80"


def test_the_environment_gives_defaults():
    given = settings.from_environment(
        {"LOCKSTEP_THREADS": "3", "LOCKSTEP_BOUNDS": "view", "LOCKSTEP_TIMEOUT": "2min", "LOCKSTEP_MAX_MEMORY": "2GiB",
         "LOCKSTEP_ROLLBACK": "1", "LOCKSTEP_PROGRESS": "0", "LOCKSTEP_FINDINGS": "warn", "LOCKSTEP_AUTOTUNE": "all",
         "LOCKSTEP_AS": "sm_80", "PATH": "x"}
    )  # fmt: skip
    assert given == settings.Options(
        threads=3, bounds="view", timeout=120.0, max_memory=2**31, rollback=True, progress=False, print=None,
        findings="warn", autotune="all", target="sm_80",
    )  # fmt: skip
    assert settings.from_environment({"LOCKSTEP_THREADS": ""}) == settings.Options()


def test_wrong_environment_names_the_variable():
    code = "import lockstep; lockstep.get_options()"
    result = run_python(code, LOCKSTEP_BOUNDS="vew")
    assert result.returncode == 1
    assert (
        result.stderr.splitlines()[-1]
        == "lockstep.errors.OptionError: the environment variable LOCKSTEP_BOUNDS must be "
        "'storage' or 'view', not 'vew'"
    )


def test_misspelt_variables_are_noticed():
    with pytest.warns(UserWarning, match="LOCKSTEP_THREAD is unknown; did you mean LOCKSTEP_THREADS"):
        settings.from_environment({"LOCKSTEP_THREAD": "3"})


def test_explain():
    assert lockstep.explain("LS101").startswith("# LS101: out-of-bounds access")
    assert lockstep.explain("ls101") == lockstep.explain("101") == lockstep.explain("LS101")
    with pytest.raises(KeyError, match="there is no page for 'LS9999'"):
        lockstep.explain("LS9999")


def test_progress_line():
    assert progress.line(250, 1000, 2.0) == "[#######-----------------------]  25 %  250 of 1,000 programs, 6 s left"
    assert progress.line(0, 1000, 2.0) == "[------------------------------]   0 %  0 of 1,000 programs"
    assert "15 min left" in progress.line(100, 1000, 100.0)
    assert len(progress.line(2**31 - 1, 2**31, 5e8)) < 100


def test_progress_leaves_an_empty_line(capsys):
    progress.show(10, 100, 0.5)
    progress.clear()
    assert capsys.readouterr().err == ""
    progress.show(10, 100, 1.5)
    progress.show(100, 100, 2.0)
    progress.clear()
    assert capsys.readouterr().err == "\r\x1b[K" + progress.line(10, 100, 1.5) + "\r\x1b[K"


def test_progress_goes_to_terminals_only(monkeypatch):
    monkeypatch.setattr(progress, "_is_terminal", lambda: False)
    assert progress.callback(None) is None
    assert progress.callback(True) is progress.show
    monkeypatch.setattr(progress, "_is_terminal", lambda: True)
    assert progress.callback(None) is progress.show
    assert progress.callback(False) is None
    assert progress.callback(print) is print


def test_program_sets():
    from lockstep.programs import ProgramSet

    finished = ProgramSet([(0, 6), (8, 127)], (128, 1, 1))
    assert (len(finished), str(finished)) == (127, "0..6, 8..127")
    assert (6, 0, 0) in finished
    assert (7, 0, 0) not in finished
    assert (128, 0, 0) not in finished
    assert 127 in finished
    assert "x" not in finished
    small = ProgramSet([(1, 1), (4, 5)], (2, 3, 1))
    assert list(small) == [(1, 0, 0), (0, 2, 0), (1, 2, 0)]
    assert [program for x in range(2) for y in range(3) if (program := (x, y, 0)) in small] == [
        (0, 2, 0),
        (1, 0, 0),
        (1, 2, 0),
    ]
    assert str(small) == "(1,0,0), (0,2,0)..(1,2,0)"
    assert str(ProgramSet([], (8, 1, 1))) == "none"
    assert str(ProgramSet([(i, i) for i in range(0, 40, 2)], (40, 1, 1))).endswith("14, ...")
    assert len(ProgramSet([(0, 2**31)], (2**31 + 1, 1, 1))) == 2**31 + 1


def test_blocks_that_overlap_may_be_left_in_any_order():
    before = lockstep.get_options()
    first, second = lockstep.options(findings="ignore"), lockstep.options(threads=2)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert (lockstep.get_options().findings, lockstep.get_options().threads) == (before.findings, 2)
    second.__exit__(None, None, None)
    assert lockstep.get_options() == before
