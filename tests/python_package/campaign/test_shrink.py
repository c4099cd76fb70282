"""A failing case made small: fewer variations, smaller numbers, fewer programs, fewer statements."""

import json
import re

from lockstep.campaign import __main__ as command
from lockstep.campaign.shrink import cases, kernels
from scale_plan import SCALE, SOFTMAX
from test_sources import CAPSULES, capsules  # noqa: F401

BROKEN = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")


def failing(folder, where=lambda case: True):
    return next(one["result"]["id"] for one in folder.results() if one["result"]["verdict"] == "finding" and where(one["case"]))


def test_numbers_of_a_kernel_become_small_together(folder, capsys):
    folder.run(BROKEN + "[run.axes]\nn = [1000]\ndtype = ['f32']\nblock = [128]\nseed = [5]\nschedule = [3]\n")
    assert command.main(["shrink", str(folder.path / "plan.db"), failing(folder), "-o", str(folder.path / "small")]) == 0
    text = capsys.readouterr().out
    small = next((folder.path / "small").glob("*.case.json")).read_text()
    assert '"vary":{"block":2,"dtype":"f32","n":1}' in small and '"schedule":{"number":0,"seed":0}' in small
    assert "randn:f32[1]" in small and '"BLOCK":"2"' in small, text
    assert "smaller: n 1000 → 1, block 128 → 2, no seed, no schedule" in text.replace("schedule 3 → 0", "no schedule")


def test_a_capsule_keeps_only_what_shows_the_finding(capsules, capsys):  # noqa: F811
    capsules.run(CAPSULES + '[run.axes]\nvalues = ["recorded", "negated"]\n')
    key = failing(capsules)
    assert command.main(["shrink", str(capsules.path / "plan.db"), key, "-o", str(capsules.path / "small")]) == 0
    text = capsys.readouterr().out
    match = re.search(r"grid \[(.*)\], (\d+) of (\d+) statements", text)
    assert int(match[2]) < int(match[3])
    found = list((capsules.path / "small").glob("*.capsule"))
    assert len(found) == 1 and f"lockstep run {found[0]} --check all" in text


def test_what_passes_is_not_made_small(folder, capsys):
    folder.run(SCALE + "[run.axes]\nn = [10]\ndtype = ['f32']\nblock = [16]\n")
    key = folder.results()[0]["result"]["id"]
    assert command.main(["shrink", str(folder.path / "plan.db"), key]) == 2
    assert "ends with the verdict pass" in capsys.readouterr().err


def test_statements_go_with_their_regions_and_only_unused():
    text = 'module {\n  tt.func @f(%a: i32) {\n    %b = arith.addi %a, %a : i32\n    scf.if %b {\n      tt.print %a\n    }\n    tt.return\n  }\n}\n'
    left, tried = kernels.simplified(text, lambda one: "tt.func" in one)
    assert left == "module {\n  tt.func @f(%a: i32) {\n    tt.return\n  }\n}\n"
    assert tried >= 2
    assert kernels.simplified(text, lambda one: "tt.print" in one)[0] == text


def test_a_failure_is_its_verdict_and_codes():
    finding = {"code": "LS101", "tier": "error", "kernel": "k", "file": "k.py", "line": 3, "op": "tt.load"}

    def failure(*findings, verdict="finding", **more):
        return cases.Failure.of({"verdict": verdict, "findings": list(findings), **more})

    one = failure(finding)
    assert one.is_in(failure(finding, {**finding, "code": "LS205"}))
    for key, value in {"kernel": "other", "line": 4, "op": "tt.store", "code": "LS205"}.items():
        assert not one.is_in(failure({**finding, key: value}))
    assert not one.is_in(failure(verdict="pass"))


def test_a_wrong_result_is_wrong_in_the_same_outputs_and_ways():
    def failure(message="", **error):
        return cases.Failure.of({"verdict": "mismatch", "findings": [], "message": message, "error": {name: {"kinds": kinds} for name, kinds in error.items()}})

    one = failure(out=["nan", "value"])
    assert one.is_in(failure(out=["value"]))
    assert not one.is_in(failure(out=["not stored"])) and not one.is_in(failure(out=["not stored", "value"]))
    assert not one.is_in(failure(other=["value"])) and not one.is_in(failure())
    said = failure("other bytes than in grid order: out")
    assert said.is_in(failure("other bytes than in grid order: out")) and not said.is_in(failure("other bytes than in grid order: n"))


def test_what_the_plan_derives_stays_derived(folder, capsys):
    """`other=0.0` is wrong where BLOCK is larger than the row; BLOCK made smaller alone would leave columns out, another bug."""
    summary = folder.run(SOFTMAX + "[run.axes]\nrows = [2]\ncolumns = [64, 100]\nseed = [0, 3]\nnum_warps = [4, 8]\n")
    assert summary.verdicts == {"mismatch": 4, "pass": 4}
    key = next(one["result"]["id"] for one in folder.results() if one["result"]["verdict"] == "mismatch" and one["case"]["vary"]["seed"])
    assert command.main(["shrink", str(folder.path / "plan.db"), key, "-o", str(folder.path / "small")]) == 0
    text = capsys.readouterr().out
    small = json.loads(next((folder.path / "small").glob("*.case.json")).read_text())
    assert small["vary"] == {"rows": 1, "columns": 3}, text
    assert small["source"]["arguments"]["BLOCK"] == "4" and small["options"] == {}
    assert "columns 100 → 3" in text
    assert command.main(["case", str(folder.path / "plan.db"), str(next((folder.path / "small").glob("*.case.json")))]) == 1
    assert '"kinds": [\n     "value"' in capsys.readouterr().out


def test_a_case_of_no_axes_becomes_smaller_by_its_numbers(folder, capsys):
    folder.run(BROKEN.replace("{n}", "300").replace("{dtype}", "f32").replace('"{block}"', "64"))
    assert command.main(["shrink", str(folder.path / "plan.db"), failing(folder), "-o", str(folder.path / "small")]) == 0
    assert "randn:f32[1]" in next((folder.path / "small").glob("*.case.json")).read_text(), capsys.readouterr().out
