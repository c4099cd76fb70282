"""The pytest plugin, run on small suites of its own."""

import importlib.util
import os
import sys
from pathlib import Path

import fault_kernels
import lockstep
import lockstep.pytest_watch
import lockstep.report
import pytest
import torch
import triton  # noqa: F401 (suites run in this process must not be the first to import it)

pytest_plugins = "pytester"
HERE = Path(__file__).parent

SUITE = """
    import sys
    sys.path.insert(0, {here!r})
    import pytest
    import torch
    import lockstep
    from fault_kernels import copy, copy_masked, rows

    def launch(kernel):
        x = torch.arange(1000.0, device="cuda")
        out = torch.zeros(1000, device="cuda")
        kernel[(8,)](x, out, 1000, BLOCK=128)
        return x, out

    def launch_rows():
        x = torch.arange(4 * 16.0, device="cuda").reshape(4, 16)[:, :12]
        rows[(4,)](x, torch.zeros(4, 12, device="cuda"), 12, BLOCK=16)
""".format(here=str(HERE))  # noqa: UP032 (braces of the suite)


@pytest.fixture(scope="module", autouse=True)
def everything_is_imported():
    """Suites that run in this process forget the modules which they are the first to import."""
    for name in lockstep.__all__:
        getattr(lockstep, name)
    with lockstep.active(), lockstep.pretend_cuda():
        fault_kernels.add_one[(1,)](torch.zeros(8, device="cuda"), torch.zeros(8, device="cuda"), 8, BLOCK=8)


@pytest.fixture
def suite(pytester, monkeypatch):
    """Writes a suite; running it needs no installation: the plugin is named on the command line."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))

    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins cost more than the suites
    monkeypatch.setattr(lockstep.report, "_warned", set())  # a line is told once a process, and other tests launch the same kernels

    def run(tests: str, *options: str, in_process: bool = True) -> pytest.RunResult:
        pytester.makepyfile(test_suite=SUITE + tests)
        run = pytester.runpytest_inprocess if in_process else pytester.runpytest_subprocess
        return run("-p", "no:cacheprovider", "-p", "lockstep.pytest_plugin", *options)

    return run


def test_clean_tests_pass_and_are_counted(suite):
    result = suite(
        """
    def test_copy():
        x, out = launch(copy_masked)
        assert out.is_cuda and torch.equal(x, out)
        assert torch.cuda.get_device_capability() == (9, 0)
    """,
        "--lockstep",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["lockstep: *, as sm_90, cuda means the CPU", "lockstep: 1 launch, 8 programs, 0 findings"]
    )


def test_faults_fail_tests_in_the_kernels_line(suite):
    result = suite(
        """
    def test_fault():
        launch(copy)
    """,
        "--lockstep",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E  *OutOfBoundsError: *fault_kernels.py:*: error: out-of-bounds read: x*",
            "*fault_kernels.py:*: OutOfBoundsError",
        ]
    )
    result.stdout.fnmatch_lines(["lockstep: 1 launch, 8 programs, 1 finding"])


CHECKED = """
    def test_hidden():
        try:
            launch(copy)
        except RuntimeError:
            pass

    def test_view():
        launch_rows()

    def test_clean():
        launch(copy_masked)

    @pytest.mark.lockstep_findings("LS101")
    def test_expected():
        launch(copy)

    @pytest.mark.lockstep_findings("LS101")
    def test_expected_and_caught():
        with pytest.raises(lockstep.KernelError):
            launch(copy)

    @pytest.mark.lockstep_findings("LS101")
    def test_missing():
        launch(copy_masked)

    @pytest.mark.lockstep_findings("LS102")
    def test_other():
        launch(copy)

    def test_ignored_by_option(lockstep_options):
        lockstep_options(findings="ignore")
        launch(copy)

    def test_options_ended():
        assert lockstep.get_options().findings == "raise"
        lockstep.set_options(threads=1)

    def test_set_options_ended():
        assert lockstep.get_options().threads == 0
"""


def test_checks(suite):
    result = suite(CHECKED, "--lockstep-check", "-v")
    result.assert_outcomes(passed=5, failed=5)
    result.stdout.fnmatch_lines(["lockstep: *, as sm_90, cuda means the CPU, findings fail tests"])
    result.stdout.fnmatch_lines(
        [
            "test_suite.py::test_hidden FAILED *",
            "test_suite.py::test_view FAILED *",
            "test_suite.py::test_clean PASSED *",
            "test_suite.py::test_expected PASSED *",
            "test_suite.py::test_expected_and_caught PASSED *",
            "test_suite.py::test_missing FAILED *",
            "test_suite.py::test_other FAILED *",
            "test_suite.py::test_ignored_by_option FAILED *",
            "test_suite.py::test_options_ended PASSED *",
            "test_suite.py::test_set_options_ended PASSED *",
        ]
    )
    result.stdout.fnmatch_lines(["1 finding of Lockstep", "*lockstep findings*", "*error: out-of-bounds read: x*"])
    result.stdout.fnmatch_lines(["expected LS101, which no launch of this test has"])


COUNTS = """
    from counting_kernels import count, halve

    def test_counts():
        h, index = torch.zeros(8, dtype=torch.int32, device="cuda"), torch.arange(64, dtype=torch.int32, device="cuda") % 8
        count[(64,)](h, index)
"""
HALVES = """
    from counting_kernels import count, halve

    def test_halves():
        halve[(4,)](torch.rand(4096, device="cuda"), torch.zeros(4096, device="cuda"), 100_000, BLOCK=1024)
"""


def test_lost_updates_are_told_without_checkers(suite):
    run = suite(COUNTS, "--lockstep")
    run.assert_outcomes(passed=1)
    run.stdout.fnmatch_lines(["*race on h*LS302*", "lockstep: 1 launch, 64 programs, 1 finding"])
    run = suite(COUNTS, "--lockstep-check")
    run.assert_outcomes(failed=1)
    run.stdout.fnmatch_lines(["*LS302*"])


def test_the_summary_says_what_was_not_looked_for(suite):
    run = suite(HALVES, "--lockstep-check")
    run.assert_outcomes(passed=1)
    run.stdout.fnmatch_lines(
        ["lockstep: 1 launch, 4 programs, 0 findings (not looked for in 1 launch: *precision; --lockstep-checkers all)"]  # more on a busy machine
    )
    run = suite(HALVES, "--lockstep", "--lockstep-option", "check=none")
    run.stdout.fnmatch_lines(["lockstep: *0 findings (only accesses looked: check=none; --lockstep-checkers all)"])


def test_without_checks_only_errors_that_are_raised_count(suite):
    result = suite(CHECKED, "--lockstep", "-v")
    failed = ("test_missing", "test_other")
    result.assert_outcomes(passed=8, failed=2)
    result.stdout.fnmatch_lines([f"FAILED test_suite.py::{name}*" for name in failed])


def test_fixture_of_one_launch(suite):
    result = suite(
        """
    def arguments():
        return torch.arange(1000.0), torch.zeros(1000), 1000

    def test_clean(lockstep_launch):
        result = lockstep_launch(copy_masked[(8,)], *arguments(), BLOCK=128)
        assert result.report.programs_run == 8 and result.codes == [] == result.findings

    def test_faulty(lockstep_launch):
        lockstep_launch(copy[(8,)], *arguments(), BLOCK=128)

    def test_expected(lockstep_launch):
        result = lockstep_launch.expecting("LS101")(copy[(8,)], *arguments(), BLOCK=128)
        assert result.findings[0].argument == "x" and result.codes == ["LS101"]

    def test_unexpectedly_clean(lockstep_launch):
        lockstep_launch.expecting("LS101")(copy_masked[(8,)], *arguments(), BLOCK=128)

    def test_nothing(lockstep_launch):
        lockstep_launch(lambda: None)
    """,
        "--lockstep-check",
    )
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(
        ["*OutOfBoundsError*", "expected LS101, found none", "no launch ran on Lockstep; is it active?"]
    )


def test_setup_and_teardown_are_checked(suite):
    result = suite(
        """
    @pytest.fixture
    def before(lockstep_options):
        lockstep_options(findings="ignore")
        launch(copy)

    @pytest.fixture
    def after(lockstep_options):
        yield
        lockstep_options(findings="ignore")
        launch(copy)

    def test_before(before):
        pass

    def test_after(after):
        pass
    """,
        "--lockstep-check",
    )
    result.assert_outcomes(passed=1, errors=2)


def test_failures_show_findings_too(suite):
    result = suite(
        """
    def test_wrong(lockstep_options):
        lockstep_options(findings="ignore")
        launch(copy)
        assert 1 == 2
    """,
        "--lockstep-check",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 1 == 2", "*lockstep findings*", "*error: out-of-bounds read*"])


def test_target_and_no_pretending(suite):
    has_gpu = torch.cuda.is_available()
    result = suite(
        """
    def test_target():
        assert lockstep.get_options().target == "sm_80"
        import os, triton
        from lockstep.pretend import is_pretending
        assert not is_pretending() and lockstep.is_active()
        assert os.environ["LOCKSTEP_AS"] == "sm_80"
        assert triton.runtime.driver.active.get_current_target().arch == 80
    """,
        "--lockstep-as=sm_80",
        "--lockstep-no-pretend",
    )
    result.assert_outcomes(passed=1)
    assert lockstep.get_options().target == "sm_90"
    assert torch.cuda.is_available() is has_gpu


def test_wrong_target_is_a_usage_error(suite):
    result = suite("", "--lockstep-as=gfx942")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--lockstep: the option target must be one of *sm_90*"])


def test_ini_settings_in_a_process_of_its_own(suite, pytester, monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    pytester.makeini("[pytest]\nlockstep_check = true\nlockstep_as = sm_80\n")
    pytester.makeconftest(
        "import os, torch\nassert torch.cuda.is_available()\nassert 'TRITON_INTERPRET' not in os.environ"
    )
    result = suite(
        """
    def test_view():
        assert torch.cuda.get_device_capability() == (8, 0)
        launch_rows()
    """,
        in_process=False,
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["    def rows(*", ">  *tl.store(out + row * columns + index*", "E  *OutOfBoundsError: *LS102*"]
    )
    result.stdout.no_fnmatch_line("*def copy(*")


def test_the_installed_plugin_imports_nothing_without_an_option(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    pytester.makepyfile(
        """
        import sys
        def test_light():
            assert "lockstep.pytest_plugin" in sys.modules
            loaded = {name for name in sys.modules if name.startswith("lockstep.")}
            assert loaded == {"lockstep.pytest_plugin"}, loaded
            assert not {"torch", "triton", "numpy"} & set(sys.modules)
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*lockstep:*")


def test_without_triton_and_torch_the_stand_in_runs_kernels(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(
        hide="""
        import importlib.machinery
        find = importlib.machinery.PathFinder.find_spec
        def without(name, path=None, target=None):
            spec = find(name, path, target)
            return None if name in ("triton", "torch") and spec and "triton_stub" not in spec.origin else spec
        importlib.machinery.PathFinder.find_spec = without
        """,
        kernels="""
        import triton
        import triton.language as tl

        @triton.jit
        def add_one(x, out, BLOCK: tl.constexpr):
            index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(out + index, tl.load(x + index) + 1)
        """,
        test_suite="""
        import lockstep, numpy as np, pytest, sys
        from kernels import add_one

        def test_runs():
            x, out = np.arange(8, dtype=np.float32), np.zeros(8, dtype=np.float32)
            add_one[(1,)](x, out, BLOCK=8)
            assert (out == x + 1).all() and "torch" not in sys.modules

        def test_fails():
            add_one[(2,)](np.zeros(8, dtype=np.float32), np.zeros(8, dtype=np.float32), BLOCK=8)
        """,
    )
    result = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "-p", "hide", "-p", "lockstep.pytest_plugin", "--lockstep-check"
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*kernels.py:7: OutOfBoundsError", "lockstep: 2 launches, 3 programs, 2 findings"])


@pytest.mark.campaign
@pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="pytest-xdist is not installed")
def test_xdist_sums_its_workers(suite):
    result = suite(CHECKED, "--lockstep-check", "-p", "xdist", "-n2", in_process=False)
    result.assert_outcomes(passed=5, failed=5)
    result.stdout.fnmatch_lines(["lockstep: 8 launches, *"])


def test_kernels_of_a_suite_are_proved(suite):
    tests = """
    def test_masked():
        x, out = launch(copy_masked)
        assert out.equal(x)
    """
    result = suite(tests, "--lockstep-prove", in_process=False)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["copy_masked holds for all launches with", "*n <= elements of x*", "lockstep prove: 1 kernel: 1 holds"])
