"""The reference of a case's outputs, and how far they may be from it.

NumPy is needed only where a reference is a Python function; bfloat16 and float8 elements are given to it as float32."""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lockstep.campaign.case import digest
from lockstep.campaign.problems import Missing
from lockstep.campaign.sources import Outcome

#: (rtol, atol) by element type, each where it is not given; integers must be equal.
TOLERANCES = {"float64": (1e-9, 1e-12), "float32": (1e-4, 1e-5), "float16": (1e-2, 1e-3), "bfloat16": (2e-2, 1e-2)}
PARTS = 20  # of histograms over 0 to 1, as `lockstep replay` has them
_EIGHT_BITS = (0.13, 0.05)
_BITS = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}


@dataclass(frozen=True)
class Reference:
    """A case's `reference`, split into its parts."""

    kind: str  # "none", "recorded", "enclosure", "schedule0", "numpy", "triton"
    what: str = ""  # "module:function", "3.9"


def of(text: str) -> Reference:
    kind, _, what = text.partition(":")
    return Reference(kind, what)


def other_options(reference: Reference) -> dict[str, Any] | None:
    """Options of the launch that a case is compared with; None: there is no such launch."""
    if reference.kind == "schedule0":
        return {"schedule": None, "schedules": 1}
    return {"triton": reference.what} if reference.kind == "triton" else None


def judge_outputs(reference: Reference, outcome: Outcome, other: Outcome) -> None:
    """Compares two launches of a case: the same bytes, or a mismatch."""
    ours, theirs = digests(outcome), digests(other)
    wrong = [name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)]
    if wrong and not outcome.mismatch:
        where = "in grid order" if reference.kind == "schedule0" else f"with Triton {reference.what}"
        outcome.mismatch = f"other bytes than {where}: {', '.join(wrong)}"


def digests(outcome: Outcome) -> dict[str, str]:
    """SHA-256 of each output."""
    return {name: one if isinstance(one, str) else digest(one) for name, one in outcome.outputs.items()}


# ---- references in Python ----


def array_of(tensor: Any) -> Any:
    """A copy of a HostTensor's elements."""
    numpy = numpy_or_missing()
    name = tensor.dtype
    if name == "bfloat16":
        bits = numpy.frombuffer(tensor.bytes(), dtype=numpy.uint16).astype(numpy.uint32) << 16
        return bits.view(numpy.float32).reshape(tensor.shape)
    if name.startswith("float8"):
        try:
            import ml_dtypes
        except ImportError:
            raise Missing(f"a reference for {name} needs the package ml_dtypes") from None
        kind = numpy.dtype(getattr(ml_dtypes, name))
        return numpy.frombuffer(tensor.bytes(), dtype=kind).astype(numpy.float32).reshape(tensor.shape)
    return numpy.frombuffer(tensor.bytes(), dtype=name).reshape(tensor.shape).copy()


def scalar_of(text: str) -> Any:
    """The value of an argument that is not a tensor, for a reference: "5", "5:i64", "1e-5", "true", "none", "fp16"."""
    words = {"true": True, "false": False, "none": None}
    plain = text.partition(":")[0].strip()
    if plain in words:
        return words[plain]
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(plain)
    return text


def function_of(reference: Reference) -> Any:
    """Raises LookupError for a missing module or function."""
    module, _, name = reference.what.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise LookupError(f"the reference {reference.what}: {error}") from None


def judge(reference: Reference, tensors: Mapping[str, Any], given: Mapping[str, Any], options: Mapping[str, Any],
          outcome: Outcome) -> None:  # fmt: skip
    """Calls the function with what the launch was given, by name; it returns {NAME: what the launch must leave}. The function may
    change what it is given: what tensors held is copied before.

    `tensors`: HostTensors, after the launch."""
    before = {name: given[name].copy() for name in tensors}
    expected = function_of(reference)(**given)
    reasons = []
    for name, wanted in sorted(expected.items()):
        if name not in tensors:
            raise LookupError(f"the reference {reference.what} gives '{name}', which is not a tensor of the launch")
        got = array_of(tensors[name])
        said, reason = compare(got, wanted, options, tensors[name].dtype)
        if said.get("outside"):
            said["kinds"] = kinds(got, wanted, before[name], tolerance_of(tensors[name].dtype, options))
        outcome.error[name] = said
        if reason:
            reasons.append(f"{name}: {reason}")
    outcome.mismatch = "; ".join(reasons)


def compare(got: Any, wanted: Any, options: Mapping[str, Any], dtype: str | None = None) -> tuple[dict[str, Any], str]:
    """How far two arrays are from each other, and why that is too far; "" where it is not.

    `options`: rtol and atol, else TOLERANCES of `dtype` (default: got's). NaN equals NaN, infinities of one sign are equal."""
    numpy = numpy_or_missing()
    name = dtype or str(got.dtype)
    if tuple(got.shape) != tuple(numpy.shape(wanted)):
        return {}, f"shape {list(got.shape)}, the reference has {list(numpy.shape(wanted))}"
    left, right = numpy.asarray(got, dtype=numpy.float64), numpy.asarray(wanted, dtype=numpy.float64)
    tolerance = tolerance_of(name, options)
    bad = outside(left, right, tolerance)
    with numpy.errstate(all="ignore"):
        distance = numpy.where(_same(left, right), 0.0, numpy.abs(left - right))
        unit = numpy.maximum(numpy.abs(right), 2.0**-14) * 2.0 ** -_BITS.get(name, 23)
        ulp = distance / unit
        allowed = tolerance[1] + tolerance[0] * numpy.abs(right)
    said = {"max_abs": _plain(distance), "max_ulp": _plain(ulp), "elements": int(left.size), "outside": int(bad.sum()),
            **positions(distance, allowed)}  # fmt: skip
    if not bad.any():
        return said, ""
    place = [int(index) for index in numpy.unravel_index(int(bad.argmax()), bad.shape)]
    at = tuple(place)
    return said, f"{said['outside']} of {left.size} elements differ, first {place}: {float(left[at])!r}, not {float(right[at])!r}"


def kinds(got: Any, wanted: Any, before: Any, tolerance: tuple[float, float]) -> list[str]:
    """How elements are wrong: "not stored" (they keep their value from before the launch), "nan", "infinite", "value"."""
    numpy = numpy_or_missing()
    left, right, old = (numpy.asarray(one, dtype=numpy.float64) for one in (got, wanted, before))
    bad = outside(left, right, tolerance)
    kept = _same(left, old)
    found = {"not stored": kept, "nan": ~kept & numpy.isnan(left), "infinite": ~kept & numpy.isinf(left), "value": ~kept & numpy.isfinite(left)}
    return [name for name, mask in found.items() if (bad & mask).any()]


def positions(distance: Any, allowed: Any) -> dict[str, Any]:
    """Where elements lie within what is allowed: 0 the reference, 1 the end. Of those that have room the largest
    (`of_allowed`) and a histogram, whose last part has what is outside, too; nothing where none has."""
    numpy = numpy_or_missing()
    has_room = (allowed > 0) & numpy.isfinite(allowed)
    if not has_room.any():
        return {}
    with numpy.errstate(all="ignore"):
        shares = numpy.nan_to_num(distance[has_room] / allowed[has_room], nan=numpy.inf, posinf=numpy.inf)
    parts = numpy.minimum(numpy.minimum(shares, 1.0) * PARTS, PARTS - 1).astype(int)
    counts = [int(one) for one in numpy.bincount(parts, minlength=PARTS)]
    return {"of_allowed": _plain(shares), "histogram": counts}


def _same(left: Any, right: Any) -> Any:
    numpy = numpy_or_missing()
    return (left == right) | (numpy.isnan(left) & numpy.isnan(right))


def outside(got: Any, wanted: Any, tolerance: tuple[float, float]) -> Any:
    """Which elements are farther from `wanted` than (rtol, atol) allow."""
    numpy = numpy_or_missing()
    left, right = numpy.asarray(got, dtype=numpy.float64), numpy.asarray(wanted, dtype=numpy.float64)
    with numpy.errstate(all="ignore"):
        return ~_same(left, right) & ~(numpy.abs(left - right) <= tolerance[1] + tolerance[0] * numpy.abs(right))


def tolerance_of(dtype: str, options: Mapping[str, Any]) -> tuple[float, float]:
    """rtol and atol of `options`; missing ones are the type's default."""
    rtol, atol = TOLERANCES.get(dtype, _EIGHT_BITS if dtype.startswith("float8") else (0.0, 0.0))
    return options.get("rtol", rtol), options.get("atol", atol)


def _plain(values: Any) -> float | str:
    """The largest number, in JSON's form."""
    largest = float(values.max()) if values.size else 0.0
    return largest if math.isfinite(largest) else str(largest)


def numpy_or_missing() -> Any:
    """The module. Raises Missing."""
    try:
        import numpy
    except ImportError:
        raise Missing("a reference in Python needs NumPy: pip install numpy") from None
    return numpy
