"""A failing case made small: fewer variations, smaller numbers, fewer programs, fewer statements."""

import re

from lockstep.campaign import __main__ as command
from lockstep.campaign.shrink import cases, kernels
from scale_plan import SCALE
from test_sources import CAPSULES, capsules  # noqa: F401

BROKEN = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")


def failing(folder, where=lambda case: True):
    return next(one["result"]["id"] for one in folder.results() if one["result"]["verdict"] == "finding" and where(one["case"]))


def test_numbers_of_a_kernel_become_small_together(folder, capsys):
    folder.run(BROKEN + "[run.axes]\nn = [1000]\ndtype = ['f32']\nblock = [128]\nseed = [5]\nschedule = [3]\n")
    assert command.main(["shrink", str(folder.path / "plan.db"), failing(folder), "-o", str(folder.path / "small")]) == 0
    text = capsys.readouterr().out
    small = next((folder.path / "small").glob("*.case.json")).read_text()
    assert '"vary":{}' in small and '"schedule":{"number":0,"seed":0}' in small
    assert "randn:f32[1]" in small, text


def test_a_capsule_keeps_only_what_shows_the_finding(capsules, capsys):  # noqa: F811
    capsules.run(CAPSULES + '[run.axes]\nvalues = ["recorded", "negated"]\n')
    key = failing(capsules)
    assert command.main(["shrink", str(capsules.path / "plan.db"), key, "-o", str(capsules.path / "small")]) == 0
    text = capsys.readouterr().out
    match = re.search(r"grid \[(.*)\], (\d+) of (\d+) statements", text)
    assert int(match[2]) < int(match[3])
    found = list((capsules.path / "small").glob("*.capsule"))
    assert len(found) == 1 and f"lockstep run {found[0].name} --check all" in text


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
    finding = {"code": "LS101", "tier": "error", "kernel": "k"}
    failure = cases.Failure.of({"verdict": "finding", "findings": [finding]})
    assert failure.is_in({"verdict": "finding", "findings": [finding, {**finding, "code": "LS205"}]})
    assert not failure.is_in({"verdict": "finding", "findings": [{**finding, "kernel": "other"}]})
    assert not failure.is_in({"verdict": "pass", "findings": []})
