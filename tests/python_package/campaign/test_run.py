"""A campaign from a TOML to results: verdicts, ids, the state file."""

import json
import signal
import subprocess
import sys

import pytest
from lockstep import campaign
from lockstep.campaign import case, driver
from lockstep.campaign.state import State
from scale_plan import SCALE, SCALE_AXES


def verdicts(folder, **where):
    """{value of the axis n: verdict}"""
    return {one["case"]["vary"].get("n"): one["result"]["verdict"] for one in folder.results()}


def test_every_point_of_the_axes_is_run_once(folder):
    summary = folder.run(SCALE + 'reference = "numpy:small_sources:scale"\n' + SCALE_AXES)
    assert (summary.cases, summary.done, summary.verdicts, summary.exit_code) == (12, 12, {"pass": 12}, 0)
    points = {tuple(one["case"]["vary"].values()) for one in folder.results()}
    assert len(points) == 12
    assert folder.run(SCALE + 'reference = "numpy:small_sources:scale"\n' + SCALE_AXES).new == 0


def test_a_case_is_named_by_its_text_and_results_are_the_same_again(folder):
    folder.run(SCALE + SCALE_AXES)
    first = folder.export()
    for one in folder.results():
        assert case.case_id(case.canonical(one["case"])) == one["result"]["id"]
    (folder.path / "plan.db").unlink()
    folder.run(SCALE + SCALE_AXES, jobs=2)
    assert folder.export() == first


def test_wrong_results_and_findings_are_told_apart(folder):
    axes = "[run.axes]\nn = [50, 60]\ndtype = ['f32']\nblock = [16]\n"
    folder.run(SCALE + 'reference = "numpy:small_sources:scale_wrongly"\n' + axes)
    assert verdicts(folder) == {50: "pass", 60: "mismatch"}
    broken = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")
    (folder.path / "plan.db").unlink()
    folder.run(broken + "[run.axes]\nn = [64, 63]\ndtype = ['f32']\nblock = [16]\n")
    assert verdicts(folder) == {64: "pass", 63: "finding"}
    with State(folder.path / "plan.db", writes=False) as state:
        _, rows = state.query("select code, tier, file, line, kernel from findings order by line")
    assert ("LS101", "error", "small_kernels.py", 16, "scale_without_mask") in rows


def test_a_kernel_that_depends_on_the_order_of_programs_differs_from_grid_order(folder):
    text = """
        [[run]]
        kind = "kernel"
        file = "small_kernels.py"
        kernel = "last_writer"
        grid = "n"
        arguments = { out = "zeros:i32[1]", n = 8 }
        checks = "none"
        reference = "schedule0"
        [run.axes]
        schedule = { from = 0, to = 3 }
    """
    summary = folder.run(text)
    by_number = {one["case"]["schedule"]["number"]: one["result"]["verdict"] for one in folder.results()}
    assert by_number[0] == "pass"
    assert "mismatch" in by_number.values(), summary


@pytest.mark.parametrize(
    ("kernel", "arguments", "verdict", "text"),
    [
        ("does_not_compile", '{ out = "zeros:i32[4]" }', "refused", "power of two"),
        ("missing", '{ out = "zeros:i32[4]" }', "error", "has no kernel 'missing'"),
        ("last_writer", '{ out = "zeros:nonsense[4]", n = 1 }', "refused", "nonsense"),
        ("last_writer", "{ n = 1 }", "refused", "'out'"),
    ],
)
def test_cases_that_cannot_run_say_why(folder, kernel, arguments, verdict, text):
    folder.run(f'[[run]]\nkind = "kernel"\nfile = "small_kernels.py"\nkernel = "{kernel}"\ngrid = 1\narguments = {arguments}\n')
    (one,) = folder.results()
    assert one["result"]["verdict"] == verdict
    assert text in one["result"]["message"]
    assert str(folder.path) not in one["result"]["message"]


def test_descriptors_and_views_are_arguments_as_on_the_command_line(folder):
    folder.run("""
        [[run]]
        kind = "kernel"
        file = "small_kernels.py"
        kernel = "copy_tile"
        grid = 4
        arguments = { x = "desc(a, block=[16,32])", out = "desc(b, block=[16,32])", a = "randn:f32[64,32]", b = "zeros:f32[64,32]", BLOCK = 16 }
        checks = "all"
    """)
    (one,) = folder.results()
    assert one["result"]["verdict"] == "pass", one
    assert one["result"]["outputs"]["a"] != one["result"]["outputs"]["b"]


def test_paths_begin_at_the_root_that_the_plan_names(folder):
    (folder.path / "campaigns").mkdir()
    at_root = '[campaign]\nroot = ".."\n' + SCALE + 'reference = "numpy:small_sources:scale"\n' + SCALE_AXES
    folder.write(at_root, "campaigns/plan.toml")
    assert driver.run_plan(folder.path / "campaigns" / "plan.toml", jobs=1).verdicts == {"pass": 12}
    folder.run(at_root.replace('".."', '"."'))
    assert folder.export("campaigns/plan.db") == folder.export()
    assert driver.resume(folder.path / "campaigns" / "plan.db", jobs=1).new == 0


def test_budgets_end_a_run_which_python_goes_on_with(folder):
    text = SCALE + 'reference = "numpy:small_sources:slow"\n' + SCALE_AXES
    assert folder.run("[budget]\ncases = 5\n" + text).cases == 5
    (folder.path / "plan.db").unlink()
    ended = folder.run('[budget]\ntime = "1s"\n' + text)
    assert (ended.reason, ended.exit_code) == ("time", 5)
    assert ended.done < 12
    went_on = campaign.resume(folder.path / "plan.db", jobs=2, seconds=60)
    assert (went_on.reason, went_on.done, went_on.new) == ("", 12, 12 - ended.done)
    assert campaign.run(folder.path / "plan.toml", jobs=1).verdicts == {"pass": 12}


def test_ctrl_c_keeps_what_is_done(folder):
    folder.write(SCALE + 'reference = "numpy:small_sources:slow"\n' + SCALE_AXES)
    words = [sys.executable, "-m", "lockstep", "campaign", "run", "plan.toml", "--jobs", "1", "--progress"]
    with subprocess.Popen(words, cwd=folder.path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as run:
        first = run.stderr.readline()  # of the progress: there are results
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=60)[1]
    assert run.returncode == 130, said
    assert "of 12 cases" in first
    assert "continues it" in said
    assert 1 <= len(folder.results()) < 12


def test_the_command_line(folder):
    plan = folder.write(SCALE + SCALE_AXES)

    def lockstep(*words):
        words = [sys.executable, "-m", "lockstep", "campaign", *map(str, words)]
        return subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder.path)

    ran = lockstep(plan, "--jobs", 1, "--cases", 5)
    assert ran.returncode == 5, ran.stderr
    assert ran.stdout.startswith("5 of 12 cases: 5 pass\n")
    assert "(not looked for: races, lanes, NaN and more" in ran.stdout
    assert lockstep("status", "plan.db").returncode == 5
    assert lockstep("resume", "plan.db", "--jobs=1").returncode == 0
    exported = lockstep("export", "plan.db").stdout
    assert exported == folder.export()
    assert exported.count("\n") == 12
    counted = lockstep("query", "plan.db", "select verdict, count(*) as n from results group by 1")
    assert counted.stdout == "verdict\tn\npass\t12\n"
    key = json.loads(exported.splitlines()[0])["result"]["id"]
    again = json.loads(lockstep("case", "plan.db", key[:12]).stdout)
    assert again["result"] == json.loads(exported.splitlines()[0])["result"]
    for words, text in [(["nonsense"], "no command 'nonsense'"), (["run"], "usage:"), (["run", plan, "--jobs", "x"], "--jobs x"),
                        (["resume", "none.db"], "no such state file"), (["query", "plan.db", "drop table cases"], "readonly")]:  # fmt: skip
        failed = lockstep(*words)
        assert (failed.returncode, text in failed.stderr) == (2, True), failed.stderr
