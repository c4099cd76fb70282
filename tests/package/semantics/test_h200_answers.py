"""The 274 checks that an H200 answered (answers.jsonl), through Triton's own front end and the Lockstep backend:
every key must print the same, but for those in other_answers.py, which must print what stands there.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
lockstep = pytest.importorskip("lockstep")
triton = pytest.importorskip("triton")
if not triton.__version__.startswith("3.6."):
    pytest.skip("the H200 answered under Triton 3.6", allow_module_level=True)
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "semantics")]

import answers
from other_answers import OTHER

RECORDED = {each["k"]: each for each in map(json.loads, (HERE / "answers.jsonl").read_text().splitlines())}


@pytest.fixture(scope="module", autouse=True)
def checks():
    for path in sorted(HERE.glob("host_*.py")):
        importlib.import_module(path.stem)


def test_every_answer_has_its_check():
    assert answers.CHECKS.keys() == RECORDED.keys()
    assert len(RECORDED) == 274
    assert OTHER.keys() <= RECORDED.keys()


def judge(key: str, kind: str, ours: str) -> None:
    theirs = RECORDED[key].get("v", RECORDED[key].get("err"))
    if key not in OTHER:
        assert (kind, ours) == ("v" if "v" in RECORDED[key] else "err", theirs)
        return
    other = OTHER[key]
    assert ours != theirs, f"{key}: the answers agree, the reason in other_answers.py is no longer needed"
    if callable(other.ours):
        assert other.ours(ours, theirs), f"{other.reason}\n  Lockstep {ours}\n  H200     {theirs}"
    else:
        assert ours.startswith(other.ours) if kind == "err" else ours == other.ours


@pytest.mark.parametrize("key", RECORDED)
@pytest.mark.filterwarnings("ignore")
def test_prints_what_the_h200_printed(key):
    judge(key, *answers.printed(key))


@pytest.mark.campaign
@pytest.mark.parametrize("key", RECORDED)
@pytest.mark.filterwarnings("ignore")
def test_prints_it_on_a_pretended_gpu(key):
    with lockstep.pretend_cuda(), torch.device("cuda"):
        judge(key, *answers.printed(key))
