"""Generated launches over function, type, rank and kind of operand, through Triton's own front end and the Lockstep
backend, each against a reference that shares no code with Lockstep (families/*.py; the promotion rules are
scalar_types.py's own).

An eighth of every family runs in CI, all of it as `campaign`; some cases also go through Lockstep's own front end and
must store the same bytes (one in 40, one in 5 as `campaign`). The summary says how many launches ran.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
triton = pytest.importorskip("triton")
lockstep = pytest.importorskip("lockstep")
pytest.importorskip("ml_dtypes")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import own_frontend
import runner

if not triton.__version__.startswith(("3.6.", "3.8.")):
    pytest.skip("the rules are those of Triton 3.6 and 3.8: 3.9 changed literals", allow_module_level=True)
FAMILIES = [
    "binary",
    "literals",
    "unary",
    "casts",
    "functions",
    "reductions",
    "shapes",
    "memory",
    "dots",
    "random_numbers",
    "control",
    "edges",
]
LEAST = 3000


def cases_of(family: str, stride: int = 1) -> list:
    made = list(importlib.import_module(f"families.{family}").cases())
    names = [(case.family, case.name) for case in made]
    assert len(set(names)) == len(names), (
        f"{family}: a case stands twice: {sorted({n for n in names if names.count(n) > 1})}"
    )
    return made[::stride]


def check(cases: list, run, record_property) -> None:
    failures = [f"{case.family} {case.name}: {text}" for case in cases if (text := run(case))]
    record_property("launches", len(cases))
    assert not failures, f"{len(failures)} of {len(cases)} launches:\n" + "\n".join(failures[:40])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_an_eighth_of_the_launches(family, record_property):
    check(cases_of(family, 8), runner.run, record_property)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_both_front_ends_store_the_same_bytes(family, record_property):
    check(cases_of(family, 40), own_frontend.compare, record_property)


@pytest.mark.campaign
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_all_launches(family, record_property):
    check(cases_of(family), runner.run, record_property)


@pytest.mark.campaign
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_both_front_ends_on_a_fifth(family, record_property):
    check(cases_of(family, 5), own_frontend.compare, record_property)


@pytest.mark.filterwarnings("ignore")
def test_what_the_language_refuses_both_front_ends_refuse():
    """Every third in turn of types; the words are each front end's own."""
    for case in cases_of("refusals", 3):
        arguments, _ = runner.prepared(case)
        with pytest.raises(triton.CompilationError):
            runner.kernel_of(case.text)[(1,)](*arguments)
        with pytest.raises(lockstep.CompileError):
            lockstep.kernel("refused.py", "kernel", source=case.text)[(1,)](*arguments)


def test_what_the_h200_answered_otherwise_is_listed():
    """h200_differences.json names cases that exist, each in one class with a reason."""
    listed = json.loads((HERE / "h200_differences.json").read_text())
    named = [tuple(case) for each in listed["classes"].values() for case in each["cases"]]
    known = {(family, case.name) for family in FAMILIES for case in cases_of(family)}
    assert set(named) <= known
    assert listed["agree"] + len(named) == listed["launches"]
    assert all(each["reason"] for each in listed["classes"].values())


def test_there_are_enough_and_no_two_are_the_same():
    texts = [(case.text, arguments_of(case), case.grid) for family in FAMILIES for case in cases_of(family)]
    assert len(texts) >= LEAST
    assert len(set(texts)) == len(texts)


def arguments_of(case) -> tuple:
    """What a launch gets, hashable."""
    values = [*case.arguments.values(), *case.results.values(), *case.constants.values()]
    return tuple((v.type, v.values.shape, v.values.tobytes()) if hasattr(v, "values") else repr(v) for v in values)
