"""What a campaign runs beside kernels of files: suites, functions, capsules."""

import json
import shutil
import types
from pathlib import Path

import lockstep
import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign import plan
from lockstep.campaign.problems import PlanError
from lockstep.campaign.sources import capsule
from lockstep.campaign.sources.tests import sizes

HERE = Path(__file__).parent


@pytest.fixture
def suite(folder):
    for name in ("small_suite.py", "small_calls.py"):
        shutil.copy(HERE / name, folder.path / name)
    return folder


def code_of(folder, text):
    """What sizes knows of the function `test` of a file, and its module's dictionary."""
    path = folder / "numbers.py"
    path.write_text(text)
    namespace = {}
    exec(compile(text, str(path), "exec"), namespace)  # noqa: S102
    item = types.SimpleNamespace(obj=namespace["test"], path=path, config=types.SimpleNamespace(getini=lambda name: []))
    return sizes.Code(item, str(folder)), namespace


def test_offsets_rise(suite):
    code, _ = code_of(suite.path, "OFFSETS = [0, 15, 79, 150]\ndef test(): return OFFSETS, [40, 30], (0, 8)\n")
    assert code.disordered({79: 13}) == [0, 15, 13, 150] and code.disordered({150: 79}) == [0, 15, 79, 79]
    assert code.disordered({79: 80}) is None and code.disordered({40: 13, 8: 13}) is None


def test_numbers_of_a_test_are_found_and_put_back(suite):
    text = "EDGES = [0, 70]\ndef helper(): return (40, True, 3, EDGES)\ndef test(a=50): return helper(), [60 for _ in range(1)], a\n"
    code, namespace = code_of(suite.path, text)
    assert code.numbers() == [40, 50, 60, 70]
    with code.replaced({40: 41, 50: 51, 60: 61, 70: 71}):
        assert namespace["test"]() == ((41, True, 3, [0, 71]), [61], 51)
    assert namespace["test"]() == ((40, True, 3, [0, 70]), [60], 50)


def test_other_sizes_are_odd_ones_whole_tiles_and_twice():
    assert sizes.others(100) == [99, 101, 112, 13, 200]
    assert sizes.others(33) == [31, 35, 48, 13, 66]


@pytest.fixture
def capsules(folder):
    """Two launches of small kernels, recorded."""
    import torch
    from small_kernels import scale, scale_without_mask

    with lockstep.active(), lockstep.record(folder.path / "capsules", outputs=False), lockstep.options(findings="ignore"):
        x, out = torch.randn(40), torch.empty(40)
        scale[(2,)](x, out, 40, FACTOR=2, BLOCK=32)
        scale_without_mask[(2,)](x, out, 40, BLOCK=32)
    return folder


CAPSULES = '\n[[run]]\nkind = "capsule"\npath = "capsules"\nchecks = "all"\n'


def test_capsules_are_launched_again(capsules):
    summary = capsules.run(CAPSULES + '[run.axes]\nvalues = ["recorded", "zeros", "negated"]\nschedule = [0, 1]\n')
    assert summary.verdicts == {"finding": 6, "pass": 6}
    passed = [one for one in capsules.results() if one["result"]["verdict"] == "pass"]
    digests = {one["case"]["vary"]["values"]: one["result"]["outputs"] for one in passed}
    assert len({str(one) for one in digests.values()}) == 3
    assert {tuple(one["result"]["coverage"]) for one in passed} == {("scale",)}


def test_a_capsule_that_is_not_there_is_told(folder):
    with pytest.raises(PlanError, match="no capsule"):
        folder.run(CAPSULES)


def test_numbers_of_a_storage_are_changed_in_their_type():
    import numpy as np

    content = np.array([1.5, -2.0, 0.0, np.inf], np.float32).tobytes()
    as_floats = lambda how: np.frombuffer(capsule.varied(content, "f32", how, 1), np.float32).tolist()
    assert as_floats("zeros") == [0, 0, 0, 0]
    assert as_floats("negated") == [-1.5, 2.0, 0, -np.inf]
    assert as_floats("positive") == [1.5, 2.0, 0, np.inf]
    assert as_floats("halved") == [0.75, -1.0, 0, np.inf]
    assert sorted(as_floats("shuffled")) == [-2.0, 0, 1.5, np.inf]
    assert capsule.varied(b"\x80\x3f\x01", "bf16", "halved", 0) == b"\x00\x3f\x01"


def test_a_campaign_is_made_of_a_suite(suite, monkeypatch, capfd):
    monkeypatch.chdir(suite.path)
    words = ["--from-tests", "pytest small_suite.py -k whole", "--write-only"]
    assert command.main(words) == 0, capfd.readouterr()
    made = suite.path / "campaign" / "campaign.toml"
    assert "1 launches recorded" in capfd.readouterr().out
    cases = [json.loads(text) for _, text in plan.read(made).cases()]
    kinds = {one["source"]["kind"] for one in cases}
    assert kinds == {"tests", "capsule"} and len(cases) > 15
    assert {one["source"]["test"] for one in cases if one["source"]["kind"] == "tests"} == {"small_suite.py::test_whole_blocks"}


def test_files_say_themselves_how_they_are_run(folder):
    (folder.path / "kernels").mkdir()
    text = (folder.path / "small_kernels.py").read_text()
    line = "# args: run {file}::scale --grid 4 --check all --num-warps 8 --fail-on info x=randn:f32[100] out=empty:f32[100] n=100 FACTOR=2 BLOCK=32\n"
    (folder.path / "kernels" / "scale.py").write_text(line + text)
    (folder.path / "kernels" / "other.py").write_text(text)
    text = '[[run]]\nkind = "files"\npath = "kernels"\nreference = "schedule0"\n[run.axes]\nschedule = [1, 2]\n'
    assert folder.run(text).verdicts == {"pass": 2}
    one = folder.results()[0]["case"]
    assert one["source"]["kind"] == "kernel" and one["options"]["num_warps"] == 8 and one["vary"] == {}


def test_random_kernels_give_the_same_in_every_order(folder):
    text = '[[run]]\nkind = "random"\nreference = "schedule0"\nchecks = "none"\n[run.axes]\nseed = { from = 0, to = 9 }\nschedule = [1]\n'
    summary = folder.run(text)
    assert set(summary.verdicts) <= {"pass", "refused"} and summary.verdicts["pass"] >= 8
    assert {one["case"]["source"]["ops"] for one in folder.results()} == {7}


def test_launches_of_a_proof_are_cases(folder):
    shutil.copy(HERE.parents[1] / "prove" / "kernels.py", folder.path / "kernels.py")
    text = """[[run]]
kind = "prove"
file = "kernels.py"
kernel = "{kernel}"
grid = "cdiv(n, BLOCK)"
contract = {{ x = "f32[n]", y = "f32[n]", out = "f32[n]", BLOCK = "{{block}}" }}
[run.axes]
block = [8, 16]
"""
    summary = folder.run(text.format(kernel="add"))
    cases = [one["case"] for one in folder.results()]
    assert set(summary.verdicts) == {"pass"} and {one["vary"]["role"] for one in cases} == {"within"}
    assert {one["source"]["arguments"]["BLOCK"] for one in cases} == {"8", "16"} and len(cases) >= 8
    shutil.rmtree(folder.path / "plan.db", ignore_errors=True)
    (folder.path / "plan.db").unlink(missing_ok=True)
    summary = folder.run(text.format(kernel="add_mask_off_by_one"))
    assert set(summary.verdicts) == {"finding"} and {one["case"]["vary"]["role"] for one in folder.results()} == {"counterexample"}


ROOT = HERE.parents[2]


@pytest.mark.parametrize("file", sorted([*ROOT.glob("campaigns/*.toml"), *ROOT.glob("examples/**/campaign.toml")]), ids=lambda one: one.name)
def test_ready_campaigns_are_read(file):
    entries = plan.read(file).entries
    assert entries and all(entry.values or entry.axes for entry in entries)
