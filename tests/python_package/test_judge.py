"""lockstep judge on the zoo (tests/judge_zoo): programs that cheat are rejected with a witness that replays, honest twins are not.
The first line of each has the class."""

import json
import pathlib
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import lockstep  # noqa: E402

ZOO = pathlib.Path(__file__).parent.parent / "judge_zoo"
PROGRAMS = sorted(path for path in ZOO.glob("*/*.py") if path.name != "reference.py")
# : One of each class in every run; the others in campaigns.
QUICK = (
    "layer_norm/cheat_copy.py layer_norm/cheat_torch.py gelu/honest.py linear/cheat_bf16.py"
).split()


def name_of(path):
    return f"{path.parent.name}/{path.name}"


def judged(path, tmp_path, **options):
    return lockstep.judge(path.parent / "reference.py", path, seed=7, time=240, witnesses=tmp_path / "witness", **options)


def in_campaigns(path):
    return pytest.param(path, id=name_of(path), marks=() if name_of(path) in QUICK else pytest.mark.campaign)


@pytest.mark.parametrize("path", [in_campaigns(path) for path in PROGRAMS])
def test_the_zoo(path, tmp_path):
    wanted = path.read_text().splitlines()[0].split(":")[0].removeprefix("# ")
    verdict = judged(path, tmp_path)
    if wanted == "accepted":
        assert verdict.accepted, str(verdict)
        assert verdict.exit_code == 0
        assert verdict.covered["inputs"] >= 8
        assert len(verdict.covered["histories"]) >= 6
        return
    assert verdict.verdict == "rejected", str(verdict)
    (reason,) = verdict.reasons
    assert reason.kind == wanted, str(verdict)
    assert verdict.exit_code == 1
    if wanted in ("torch", "no result", "type"):
        return
    folder = tmp_path / "witness" / reason.witness
    replayed = subprocess.run(
        [sys.executable, "-I", str(folder / "replay.py")], capture_output=True, text=True, timeout=120, check=True)
    assert "expected" in replayed.stdout
    assert reason.message in replayed.stdout


def test_a_seed_gives_the_same_verdict_twice(tmp_path):
    path = ZOO / "gelu" / "cheat_tanh.py"
    first, second = (judged(path, tmp_path).to_dict() for _ in range(2))
    first.pop("seconds"), second.pop("seconds")
    assert first == second
    assert first["format"] == "lockstep-verdict"
    json.dumps(first)


def test_a_candidate_that_does_not_exist_any_more_is_rejected(tmp_path):
    """It ends its process, prints a verdict and exits with 0."""
    path = tmp_path / "candidate.py"
    path.write_text("import os\nprint('accepted')\nos._exit(0)\n")
    verdict = lockstep.judge(ZOO / "gelu" / "reference.py", path, seed=1, time=120, witnesses=tmp_path)
    assert verdict.reasons[0].kind == "no result"


def test_a_reference_that_does_not_depend_on_its_inputs_is_no_task(tmp_path):
    reference = tmp_path / "reference.py"
    reference.write_text((ZOO / "gelu" / "reference.py").read_text().replace("gelu(x)", "gelu(x * 0.0)"))
    with pytest.raises(lockstep.JudgeError, match="does not depend"):
        lockstep.judge(reference, ZOO / "gelu" / "honest.py", seed=1, time=120, witnesses=tmp_path)


def test_the_command(tmp_path):
    words = [sys.executable, "-m", "lockstep.judging", str(ZOO / "gelu" / "reference.py"), str(tmp_path / "missing.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
