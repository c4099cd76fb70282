"""A case that crashes, hangs or eats memory is a result; the others of the campaign are what they would have been."""

import os
import signal
import time

import pytest
from lockstep.campaign.pool import Config, Pool
from lockstep.campaign.state import State
from scale_plan import SCALE

AXES = "[run.axes]\nn = [1, 7, 8, 100]\ndtype = ['f32']\nblock = [16]\n"
LIMITS = '[limits]\ntime = "1s"\nmemory = "1GiB"\n'


def verdicts(folder):
    return {one["case"]["vary"]["n"]: one["result"]["verdict"] for one in folder.results()}


def rows(folder, sql):
    with State(folder.path / "plan.db", writes=False) as state:
        return state.query(sql)[1]


def test_a_crash_is_a_result_when_it_happens_twice(folder):
    folder.run(LIMITS + SCALE + 'reference = "numpy:small_sources:crash_for_seven"\n' + AXES)
    assert verdicts(folder) == {1: "pass", 7: "crash", 8: "pass", 100: "pass"}
    assert rows(folder, "select attempts, json_extract(text, '$.message') from results where verdict = 'crash'") == [
        (2, "the worker ended with SIGSEGV")
    ]


def test_a_case_that_hangs_is_ended(folder):
    folder.run(LIMITS + SCALE + 'reference = "numpy:small_sources:hang_for_seven"\n' + AXES)
    assert verdicts(folder) == {1: "pass", 7: "timeout", 8: "pass", 100: "pass"}


@pytest.mark.parametrize(("reference", "verdict", "text"), [("eat_memory", "memory", "exceeded its memory"), ("leave", "error", "SystemExit: 3")])
def test_what_a_reference_does_is_the_cases_result(folder, reference, verdict, text):
    folder.run(LIMITS + SCALE + f'reference = "numpy:small_sources:{reference}"\n' + AXES)
    assert set(verdicts(folder).values()) == {verdict}
    assert text in folder.results()[0]["result"]["message"]


def test_a_long_launch_is_stopped_without_losing_the_worker(folder):
    text = """
        [[run]]
        kind = "kernel"
        file = "small_kernels.py"
        kernel = "long_loop"
        grid = 1
        arguments = { out = "zeros:i32[1]", n = "{n}" }
        [run.axes]
        n = [5, 2000000000, 6]
    """
    folder.run(LIMITS + text)
    assert verdicts(folder) == {5: "pass", 2000000000: "timeout", 6: "pass"}
    assert len(rows(folder, "select distinct worker from results")) == 1


def test_arguments_beyond_the_limit_are_not_made(folder):
    folder.run(LIMITS + SCALE + "[run.axes]\nn = [8, 1000000000]\ndtype = ['f32']\nblock = [16]\n")
    assert verdicts(folder) == {8: "pass", 1000000000: "memory"}


def test_what_a_case_prints_is_its_log(folder):
    folder.run(LIMITS + SCALE + 'reference = "numpy:small_sources:print_and_fail"\n' + AXES)
    logs = dict(rows(folder, "select json_extract(cases.text, '$.vary.n'), log from results join cases using (id)"))
    assert all(f"n is {n}\n" in log for n, log in logs.items())
    assert "n is 7" not in logs[8]


def test_a_worker_that_others_end_is_replaced_and_its_case_run_again(folder):
    plan = folder.plan(LIMITS + SCALE + 'reference = "numpy:small_sources:slow"\n' + AXES)
    cases = list(plan.cases())
    with Pool(Config(plan.root, 20, 1 << 30), 1) as pool:
        for key, text in cases:
            pool.submit(key, text)
        (first,) = pool.processes()
        time.sleep(1.0)
        os.kill(first, signal.SIGKILL)
        results = []
        while pool.unfinished():
            results += pool.poll(1.0)
        assert pool.processes() != [first]
    assert sorted(one.id for one in results) == sorted(key for key, _ in cases)
    assert all('"verdict":"pass"' in one.text for one in results)
