"""Cases of a Python function over axes: the campaign checks all its launches and compares its results.

The function runs with Lockstep active and, unless `pretend` is false, with torch's "cuda" meaning the CPU. It may return
{"got", "expected"} (arrays, tensors, or tuples or dictionaries of them), with "rtol" and "atol" for floats; the
one that is missing depends on the type, and without both the bits must be equal."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep import configuration, report
from lockstep.campaign import references
from lockstep.campaign.plan import ENGINE_OPTIONS, SCHEDULE_AXES
from lockstep.campaign.sources import Needs, Outcome, Refused
from lockstep.campaign.sources.chosen import launched
from lockstep.campaign.sources.tests import launching
from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep.campaign.plan import Entry
    from lockstep.campaign.sources import Context

KEYS = {
    "module": Key((str,), "the name of a module; the campaign's folder comes first in sys.path", is_required=True),
    "function": Key((str,), "the name of one of its functions", is_required=True),
    "kwargs": Key((dict,), "a table of arguments; texts in {} are expressions over the axes"),
    "pretend": Key((bool,), "true or false: whether torch's cuda means the CPU"),
}
REFERENCES = ("none", "triton")  # what is held against a reference, it does itself


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """The arguments are those of `kwargs`; without the key, the axes by their names."""
    values = entry.values
    given = values.get("kwargs")
    kwargs = dict(point) if given is None else {name: _filled(entry, one, point) for name, one in given.items()}
    for name in (*ENGINE_OPTIONS, *SCHEDULE_AXES):
        if given is None:
            kwargs.pop(name, None)
    made = {"module": values["module"], "function": values["function"], "kwargs": kwargs}
    return made | ({"pretend": False} if values.get("pretend") is False else {})


def _filled(entry: Entry, value: Any, point: Mapping[str, Any]) -> Any:
    if not isinstance(value, str) or "{" not in value:
        return value
    lone = value[1:-1].strip()
    if value == "{" + value[1:-1] + "}" and lone in point:
        return point[lone]  # of its own type
    return entry.fill("kwargs", value, point)


def needs(case: Mapping[str, Any], root: Path) -> Needs:
    """The function's module."""
    return Needs((), (case["source"]["module"],), (str(root),))


def run(case: dict[str, Any], context: Context) -> Outcome:
    """Calls the function once."""
    given = case["source"]
    function = _function(given)
    with contextlib.ExitStack() as stack:
        seen = stack.enter_context(report.reports())
        stack.enter_context(_active(given.get("pretend", True)))
        stack.enter_context(launching.options(case["options"]))
        taken = stack.enter_context(configuration.where_there_is_one())
        answer = function(**given["kwargs"])
        if configuration.is_asked_for() and taken.why_not():
            raise Refused(taken.why_not())
    outcome = Outcome(coverage=launched(seen))
    if isinstance(answer, Mapping) and {"got", "expected"} <= answer.keys():
        _compare(answer, outcome)
    return outcome


def _function(given: Mapping[str, Any]) -> Any:
    module = importlib.import_module(given["module"])
    function = getattr(module, given["function"], None)
    if not callable(function):
        raise Refused(f"the module {given['module']} has no function {given['function']!r}")
    return function


@contextlib.contextmanager
def _active(pretends: bool) -> Iterator[None]:
    import lockstep

    with contextlib.ExitStack() as stack:
        if importlib.util.find_spec("triton") is not None:
            stack.enter_context(lockstep.active())
        if pretends and importlib.util.find_spec("torch") is not None:
            stack.enter_context(lockstep.pretend_cuda())
        yield


# ---- results ----


def _named(value: Any, name: str = "result") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _named(one, str(key))
    elif isinstance(value, (tuple, list)):
        for place, one in enumerate(value):
            yield from _named(one, f"{name}[{place}]")
    else:
        yield name, value


def _array(value: Any) -> Any:
    """As float64, int64 or bool of NumPy: the smallest set that holds every float type of torch."""
    import numpy

    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = value.to(torch.float64) if value.is_floating_point() else value
        return value.numpy()
    return numpy.asarray(value)


def _compare(answer: Mapping[str, Any], outcome: Outcome) -> None:
    got, expected = list(_named(answer["got"])), list(_named(answer["expected"]))
    if len(got) != len(expected):
        outcome.mismatch = f"{len(got)} results, {len(expected)} were expected"
        return
    for (name, left), (_, right) in zip(got, expected, strict=True):
        _compare_one(name, _array(left), _array(right), answer, outcome)


def _compare_one(name: str, left: Any, right: Any, answer: Mapping[str, Any], outcome: Outcome) -> None:
    import numpy

    if left.shape != right.shape:
        outcome.mismatch = outcome.mismatch or f"{name}: shape {left.shape}, expected {right.shape}"
        return
    rtol, atol = references.tolerance_of(str(left.dtype), answer) if "rtol" in answer or "atol" in answer else (0.0, 0.0)
    rtol, atol = float(rtol), float(atol)
    left, right = left.astype(numpy.float64), right.astype(numpy.float64)
    same = (left == right) | (numpy.isnan(left) & numpy.isnan(right))
    with numpy.errstate(invalid="ignore"):
        away = numpy.where(same, 0.0, numpy.abs(left - right))
        allowed = atol + rtol * numpy.abs(right)
        bad = ~same & ~(away <= allowed)
    if rtol or atol:
        outcome.error[name] = {"elements": int(bad.size), "outside": int(bad.sum()), **references.positions(away, allowed)}
    if bad.any() and not outcome.mismatch:
        index = tuple(int(one) for one in numpy.argwhere(bad)[0])
        outcome.mismatch = f"{name}{list(index)}: {float(left[index])!r}, expected {float(right[index])!r}; {int(bad.sum())} of {bad.size} elements differ"
