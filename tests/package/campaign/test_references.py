"""What a case is held against: what was recorded, the bounds of every legal result, other orders, another Triton."""

import os
import shutil
from pathlib import Path

import pytest
from lockstep.campaign.problems import PlanError

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
        assert result["message"] == "recorded outside of what is legal: out: 2 elements"
        assert result["error"]["out"]["outside"] == 2


def test_recorded_bytes(folder):
    assert run_capsule(folder, "outside.capsule", "recorded")["message"].startswith("other bytes than were recorded: ")


def test_other_values_were_not_recorded(folder):
    result = run_capsule(folder, "inside.capsule", "recorded", '[run.axes]\nvalues = ["zeros"]\n')
    assert (result["verdict"], result["message"]) == ("refused", "the reference `recorded` holds for the recorded values only")


@pytest.mark.parametrize(
    ("kind", "reference", "message"),
    [
        ("capsule", "numpy:a:b", "none, recorded, enclosure, schedule0, triton:VERSION"),
        ("kernel", "recorded", "none, numpy:MODULE:FUNCTION, schedule0, triton:VERSION"),
        ("kernel", "numpy", "numpy:MODULE:FUNCTION"),
        ("kernel", "triton:2.0", "3.6, 3.7, 3.8, 3.9"),
    ],
)
def test_references_that_a_source_has_not_are_refused_with_the_plan(folder, kind, reference, message):
    own = 'path = "."' if kind == "capsule" else 'file = "k.py"\nkernel = "k"\ngrid = 1\narguments = {}'
    with pytest.raises(PlanError) as error:
        folder.plan(f'[[run]]\nkind = "{kind}"\n{own}\nreference = "{reference}"\n')
    assert message in error.value.hint


def test_findings_of_another_triton_are_told(folder):
    zoo = Path(__file__).parents[2] / "zoo" / "LS308_lock_released_early" / "bad"
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
