"""What a case is held against: what was recorded, the bounds of every legal result, other orders, another Triton."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy
import pytest
from lockstep.campaign import recorded, references
from lockstep.campaign.problems import PlanError
from lockstep.campaign.report import distances, gather
from lockstep.campaign.state import State

CAPSULES = Path(__file__).parents[2] / "golden" / "capsules"


def run_capsule(folder, name: str, reference: str, more: str = "") -> dict:
    shutil.copy(CAPSULES / name, folder.path / name)
    folder.run(f'[[run]]\nkind = "capsule"\npath = "{name}"\nreference = "{reference}"\n{more}')
    (one,) = folder.results()
    return one["result"]


@pytest.mark.parametrize(("name", "verdict"), [("inside.capsule", "pass"), ("outside.capsule", "mismatch"), ("no_outputs.capsule", "refused")])
def test_recorded_outputs_are_held_against_the_bounds_of_legal_results(folder, name, verdict, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_COMMAND", os.environ["LOCKSTEP_EXECUTABLE"])
    result = run_capsule(folder, name, "enclosure")
    assert result["verdict"] == verdict, result
    if verdict == "mismatch":
        assert result["message"] == "recorded outside the legal bounds: out: 2 elements"
        assert result["error"]["out"]["outside"] == 2


def test_recorded_bytes(folder):
    assert run_capsule(folder, "outside.capsule", "recorded")["message"].startswith("different bytes from the recording: ")


def test_other_values_were_not_recorded(folder):
    result = run_capsule(folder, "inside.capsule", "recorded", '[run.axes]\nvalues = ["zeros"]\n')
    assert (result["verdict"], result["message"]) == ("refused", "the reference `recorded` holds for the recorded values only")


@pytest.mark.parametrize(
    ("kind", "reference", "message"),
    [
        ("capsule", "numpy:a:b", "none, recorded, enclosure, schedule0, triton:VERSION"),
        ("kernel", "recorded", "none, numpy:MODULE:FUNCTION, schedule0, triton:VERSION"),
        ("kernel", "numpy", "numpy:MODULE:FUNCTION"),
        ("kernel", "triton:2.0", "3.4, 3.5, 3.6, 3.7, 3.8, 3.9"),
    ],
)
def test_references_that_a_source_has_not_are_refused_with_the_plan(folder, kind, reference, message):
    own = 'path = "."' if kind == "capsule" else 'file = "k.py"\nkernel = "k"\ngrid = 1\narguments = {}'
    with pytest.raises(PlanError) as error:
        folder.plan(f'[[run]]\nkind = "{kind}"\n{own}\nreference = "{reference}"\n')
    assert message in error.value.hint


def test_findings_of_another_triton_are_told(folder):
    zoo = Path(__file__).parents[2] / "findings" / "LS308_lock_released_early" / "bad"
    shutil.copy(zoo / "kernel.py", folder.path / "kernel.py")
    folder.run("""
        [[run]]
        kind = "kernel"
        file = "kernel.py"
        kernel = "add_under_lock"
        grid = 6
        arguments = { gradient = "rand:f32[768]", partial = "zeros:f32[128]", lock = "zeros:i32[1]", BLOCK = 128 }
        checks = "lanes"
        reference = "triton:3.8"
        [run.axes]
        triton = ["3.8", "3.9"]
    """)
    said = {one["case"]["options"]["triton"]: one["result"] for one in folder.results()}
    assert said["3.8"]["message"] == ""
    assert said["3.9"]["message"] == "LS308 at kernel.py:15 only with Triton 3.8"
    assert said["3.9"]["verdict"] == "mismatch"


RECORDED = Path(__file__).parents[2] / "differential" / "capsules"


def test_one_process_judges_as_the_command_does(folder, monkeypatch):
    """Verdicts and figures of what an H200 recorded, and of what lies outside, are those of `lockstep replay`."""
    command = os.environ["LOCKSTEP_EXECUTABLE"]
    monkeypatch.setenv("LOCKSTEP_COMMAND", command)
    names = [*sorted(RECORDED.glob("*.capsule"))[::3], CAPSULES / "outside.capsule"]
    for name in names:
        shutil.copy(name, folder.path / name.name)
    folder.run('[[run]]\nkind = "capsule"\npath = "."\nreference = "enclosure"\n')
    said = {one["case"]["source"]["path"]: one["result"] for one in folder.results()}
    assert len(said) == len(names)
    for name in names:
        alone = json.loads(subprocess.run([command, "replay", "--json", str(name)], capture_output=True, text=True, check=False).stdout)
        result, tensors = said[name.name], {one["name"]: one for one in alone["judgement"]["tensors"] if one["written"]}
        assert result["verdict"] == ("pass" if alone["judgement"]["inside"] else "mismatch"), name
        assert {one: told["outside"] for one, told in result["error"].items()} == {one: told["outside"] for one, told in tensors.items()}
        for one, told in result["error"].items():
            assert told.get("histogram", [0] * 20) == tensors[one]["positions"]["histogram"]


def test_a_capsule_that_cannot_be_judged_does_not_end_the_judge(folder, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_COMMAND", os.environ["LOCKSTEP_EXECUTABLE"])
    judge = recorded._asked(30.0)
    try:
        assert "LS2101" in judge.ask(str(folder.path / "none.capsule"))["problem"]
        assert judge.ask(str(CAPSULES / "inside.capsule"))["judgement"]["inside"]
        assert recorded._asked(30.0) is judge
        judge._process.kill()
        judge._process.wait()
        assert judge.ask(str(CAPSULES / "inside.capsule")) == {"problem": "it ended with -9"}
        again = recorded._asked(30.0)
        assert again is not judge and again.ask(str(CAPSULES / "inside.capsule"))["judgement"]["inside"]
    finally:
        recorded.close()


def test_what_a_reference_allows_is_told_in_shares(folder):
    """4 of 100 elements are outside: the last part of the histogram has them, the largest share is beyond 1."""
    got, wanted = numpy.ones(100, numpy.float32), numpy.ones(100, numpy.float32)
    wanted[:50] += 0.5e-3
    wanted[:4] += 9.5e-3
    said, reason = references.compare(got, wanted, {"atol": 1e-3, "rtol": 0.0})
    assert (said["histogram"][0], sum(said["histogram"][9:11]), said["histogram"][19]) == (50, 46, 4)  # 0.5 is the end of a part
    assert said["of_allowed"] == pytest.approx(10, rel=1e-3)
    assert (said["elements"], said["outside"], "4 of 100" in reason) == (100, 4, True)
    exact, _ = references.compare(numpy.arange(3), numpy.arange(3), {})
    assert "of_allowed" not in exact and "histogram" not in exact


def test_the_report_has_distributions_of_positions(folder, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_COMMAND", os.environ["LOCKSTEP_EXECUTABLE"])
    shutil.copy(next(RECORDED.glob("gated_delta-0017*")), folder.path)
    shutil.copy(CAPSULES / "outside.capsule", folder.path)
    folder.run('[[run]]\nkind = "capsule"\npath = "."\nreference = "enclosure"\n')
    with State(folder.path / "plan.db", writes=False) as state:
        made = gather.gather(state)
    (recurrent,) = [one for name, one in made.kernels.items() if name.startswith("fused_recurrent")]
    measured = next(one["result"]["error"] for one in folder.results() if one["result"]["verdict"] == "pass")
    elements = sum(sum(one.get("histogram", ())) for one in measured.values())
    assert sum(recurrent.positions) == elements > 8000
    assert recurrent.distances == [max(one["of_allowed"] for one in measured.values())]
    assert made.distances_of == "share of the tolerance"
    assert f"<td>{elements:,}</td><td>≤ 0.05</td>" in distances.section(made)
    assert distances.quantile([3, 0, 0, 1], 0.5) == 0.25 and distances.quantile([3, 0, 0, 1], 0.99) == 1.0
