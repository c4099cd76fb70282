"""The axis `config`: configurations of @triton.autotune, for kernels of files, functions and suites."""

import shutil
import sys
from pathlib import Path

import pytest
from lockstep.campaign.problems import PlanError

HERE = Path(__file__).parent
CONFIG = "[run.axes]\nconfig = [0, 1, 2, 3]\n"
KERNEL = """
[[run]]
kind = "kernel"
file = "tuned_suite.py"
kernel = "fill"
grid = "1"
arguments = { x = "zeros:f32[40]" }
"""
SUITE = '\n[[run]]\nkind = "tests"\nsuite = "pytest tuned_suite.py --lockstep"\nadapter = "tuned_adapter.py"\n'
CALL = '\n[[run]]\nkind = "call"\nmodule = "tuned_suite"\nfunction = "called"\nkwargs = { x = 1 }\n'


@pytest.fixture
def tuned(folder):
    for name in ("tuned_suite", "tuned_adapter"):
        sys.modules.pop(name, None)  # of an earlier test's folder
        shutil.copy(HERE / f"{name}.py", folder.path)
    return folder


def test_each_configuration_is_a_case(tuned):
    untuned = KERNEL.replace('"fill"', '"fill_untuned"')
    # Cases of one worker follow one another: what test_what_a_package_keeps keeps must not decide for the next.
    tuned.run("".join(f"{one}{CONFIG}" for one in (KERNEL, untuned, CALL, SUITE)) + SUITE)
    found = {}
    for one in tuned.results():
        source = one["case"]["source"]
        name = source.get("kernel") or source.get("function") or source["test"].partition("::")[2]
        found.setdefault(name, {})[one["case"]["options"].get("config")] = one["result"]
    verdicts = {name: [results[number]["verdict"] for number in range(4)] for name, results in found.items()}
    assert verdicts == {
        "fill": ["pass", "pass", "finding", "refused"],
        "fill_untuned": ["refused"] * 4,
        "called": ["pass", "pass", "finding", "refused"],
        "test_both": ["pass", "pass", "finding", "refused"],
        "test_short_list": ["pass", "refused", "refused", "refused"],
        "test_untuned": ["refused"] * 4,
        "test_what_a_package_keeps": ["pass", "pass", "pass", "refused"],
    }
    assert len(found["fill"][0]["outputs"]["x"]) == 64 and found["fill"][0]["outputs"] != found["fill"][1]["outputs"]
    assert "fill has no configuration 3: there are 3, counted from 0" in found["fill"][3]["message"]
    assert found["test_short_list"][1]["message"] == "fill_one_way has no configuration 1: there is 1, counted from 0"
    assert "no launch is autotuned" in found["test_untuned"][0]["message"]
    assert "fill_untuned has no @triton.autotune" in found["fill_untuned"][0]["message"]


@pytest.mark.parametrize(("run", "message"), [
    ('kind = "capsule"\npath = "."\n', r"plan.toml:\d+: `config` means nothing here: a recorded launch"),
    ('kind = "random"\nops = 3\n', r"plan.toml:\d+: `config` means nothing here"),
    ('kind = "kernel"\nfile = "a.py"\nkernel = "a"\ngrid = 1\narguments = {}\n', "must be a whole number"),
])  # fmt: skip
def test_where_it_means_nothing(folder, run, message):
    with pytest.raises(PlanError, match=message):
        folder.plan(f"[[run]]\n{run}[run.axes]\nconfig = [{-1 if 'kernel' in run else 1}]\n")
