"""The 274 checks that an H200 answered (answers.jsonl) under Triton 3.6, through Triton's own front end and the Lockstep backend:
every key must print the same, but for those in other_answers.py, which must print what stands there. Under another version
of Triton the keys of by_version.py print what stands there, or are skipped because that version has nothing to run.

LOCKSTEP_CHECKS_TABLE=FILE: the outcomes are written there for tools/triton_versions.py.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
lockstep = pytest.importorskip("lockstep")
triton = pytest.importorskip("triton")
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import answers
import by_version
from other_answers import OTHER, Other

VERSION = ".".join(triton.__version__.split(".")[:2])
if VERSION not in by_version.VERSIONS:
    pytest.skip(f"Lockstep does not serve Triton {VERSION}", allow_module_level=True)
RECORDED = {each["k"]: each for each in map(json.loads, (HERE / "answers.jsonl").read_text().splitlines())}
ROWS = by_version.rows_of(VERSION)
PRINTING = ("print.formats", "print.2d int, bool, u8, ptr", "device_print('') no args")


@pytest.fixture(scope="module", autouse=True)
def checks():
    answers.load()


@pytest.fixture(scope="module")
def outcomes():
    """Key -> same, words, language, absent or failed."""
    found = dict.fromkeys(RECORDED, "failed")
    yield found
    table = os.environ.get("LOCKSTEP_CHECKS_TABLE")
    if table:
        Path(table).write_text(json.dumps({"triton": triton.__version__, "torch": torch.__version__, "outcomes": found}))


def test_every_answer_has_its_check():
    assert answers.CHECKS.keys() == RECORDED.keys()
    assert len(RECORDED) == 274
    assert OTHER.keys() <= RECORDED.keys()
    for version in by_version.VERSIONS:
        assert by_version.rows_of(version).keys() <= RECORDED.keys()
    assert not by_version.rows_of("3.6")  # the version that the H200 had


def recorded(key: str) -> tuple[str, str]:
    return ("v", RECORDED[key]["v"]) if "v" in RECORDED[key] else ("err", RECORDED[key]["err"])


def is_as(expected, kind: str, ours: str, theirs: str) -> bool:
    if callable(expected):
        return expected(ours, theirs)
    return ours.startswith(expected) if kind == "err" else ours == expected


def judge_as_the_h200(key: str, kind: str, ours: str) -> None:
    their_kind, theirs = recorded(key)
    if key not in OTHER:
        assert (kind, ours) == (their_kind, theirs)
        return
    other: Other = OTHER[key]
    assert ours != theirs, f"{key}: the answers agree, the reason in other_answers.py is no longer needed"
    assert is_as(other.ours, kind, ours, theirs), f"{other.reason}\n  Lockstep {ours}\n  H200     {theirs}"


def judge(key: str, kind: str, ours: str) -> str:
    """The outcome. Raises AssertionError where it is none of those that may be."""
    row = ROWS.get(key)
    if row is None:
        judge_as_the_h200(key, kind, ours)
        return "same"
    theirs = recorded(key)[1]
    assert ours != theirs, f"{key}: the answers agree, the row in by_version.py is no longer needed"
    if row.kind == "absent":
        assert kind == "err", f"{row.reason}, and yet it printed {ours}"
        return "absent"
    assert is_as(row.answers[key], kind, ours, theirs), f"{row.reason}\n  {VERSION} {ours}\n  H200 {theirs}"
    return row.kind


@pytest.mark.parametrize("key", RECORDED)
@pytest.mark.filterwarnings("ignore")
def test_prints_what_the_h200_printed(key, outcomes):
    outcomes[key] = judge(key, *answers.printed(key))
    if outcomes[key] == "absent":
        pytest.skip(f"Triton {VERSION}: {ROWS[key].reason}")


@pytest.mark.campaign
@pytest.mark.parametrize("key", RECORDED)
@pytest.mark.filterwarnings("ignore")
def test_prints_it_on_a_pretended_gpu(key):
    with lockstep.pretend_cuda(), torch.device("cuda"):
        kind, ours = answers.printed(key)
    if key in PRINTING and key not in ROWS:  # a scalar is printed once for each thread then, as on a GPU (S-94)
        assert kind == "v"
        ours = repr("\n".join(dict.fromkeys(ast.literal_eval(ours).splitlines()[:-1])) + "\n")
        assert OTHER[key].ours(ours, recorded(key)[1]), ours
        return
    judge(key, kind, ours)
