"""Whether a stored array is what a reference says: exactly, within units in the last place of its type, or within a
bound.

Exactly means bit for bit, but any NaN equals any NaN. Units are those of the expected value's binade in the stored
type.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
from conversion import bits_of
from scalar_types import TYPES, is_float


def unit(expected: np.ndarray, name: str) -> np.ndarray:
    """The distance of neighbours of `name` at a value."""
    info = ml_dtypes.finfo(TYPES[name].numpy)
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(expected.astype(np.float64)))
        return np.maximum(np.ldexp(1.0, exponent - TYPES[name].precision), float(info.smallest_subnormal))


def wrong_places(
    got: np.ndarray, expected: np.ndarray, name: str, ulps: float = 0.0, bound: np.ndarray | None = None
) -> np.ndarray:
    """True where they differ by more than is allowed."""
    if not is_float(name):
        return got != expected
    nan = np.isnan(expected.astype(np.float64))
    same = np.where(nan, np.isnan(got.astype(np.float64)), bits_of(got) == bits_of(expected.astype(got.dtype)))
    if bound is None and not ulps:
        return ~same
    with np.errstate(all="ignore"):
        distance = np.abs(got.astype(np.float64) - expected.astype(np.float64))
        allowed = unit(expected, name) * ulps if bound is None else np.broadcast_to(bound, got.shape)
    near = np.isfinite(expected.astype(np.float64)) & (distance <= allowed)
    return ~(same | near)


def problem(got: np.ndarray, expected, name: str, ulps: float = 0.0) -> str:
    """Empty, or the first places that differ."""
    bound = None
    if isinstance(expected, tuple):
        expected, bound = expected
    expected = np.asarray(expected)
    if expected.shape != got.shape:
        return f"the reference has shape {expected.shape}, the result {got.shape}"
    if not bound_needs_type(bound, ulps) and expected.dtype != got.dtype:
        return f"the reference has type {expected.dtype}, the result {got.dtype}"
    wrong = wrong_places(got, expected, name, ulps, bound)
    if not wrong.any():
        return ""
    places = [tuple(int(i) for i in place) for place in np.argwhere(wrong)[:4]]
    shown = "; ".join(f"{place}: {got[place]!s} instead of {expected[place]!s}" for place in places)
    return f"{int(wrong.sum())} of {got.size} differ: {shown}"


def bound_needs_type(bound, ulps: float) -> bool:
    """References with a tolerance may be in float64."""
    return bound is not None or ulps > 0
