"""Whether a result is one that the reference may give: first the function, then its digits (docs/judge.md).

*Function*: the candidate's numbers without rounding lie where f64 has the reference's. *Digits*: what the candidate stored is as near
to that as the reference's own type is, with room. Invariant: nothing is rejected for digits that the reference's own type does not
have either."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lockstep.judging.tensors import LARGEST, PRECISION, Bits

Array = np.ndarray[Any, Any]
# : Of the largest number of the tensor: what f64 may lose on either side.
FUNCTION = 2.0**-40
# : The reference's own error counts so often.
ROOM = 8.0
# : An input whose own error is more than this part of its result decides nothing.
ILL = 2.0**-6


@dataclass
class Difference:
    """Where a result is wrong: "type", "shape", "function", "precision", "values"; or "unsure", "less accurate", which reject
    nothing."""

    kind: str
    message: str
    output: int = 0
    element: tuple[int, ...] = ()


@dataclass
class Expected:
    """What the reference gives, in its own type and in f64."""

    own: list[Bits]
    wide: list[Bits]
    changed: list[int] = field(default_factory=list)  # inputs that it changes

    def is_meaningful(self) -> bool:
        """Its own result lies near its f64 run, and is finite."""
        for own, wide in zip(self.own, self.wide, strict=True):
            if not own.is_float or not own.numbers().size:
                continue
            near, exact = own.numbers(), wide.numbers()
            if own.shape != wide.shape or not np.isfinite(exact).all() or not np.isfinite(near).all():
                return False
            if float(np.abs(near - exact).max()) > ILL * max(float(np.abs(exact).max()), 1e-300):
                return False
        return True


@dataclass
class Obtained:
    """What the candidate gives: outputs, and the ends of their numbers without rounding (None: not known)."""

    outputs: list[Bits]
    real: list[tuple[Array, Array] | None]


def compare(expected: Expected, obtained: Obtained, has_tf32: bool, largest: float = 0.0, is_narrow: bool = True) -> Difference | None:
    """largest: of the floats that went in, for results that cancel. is_narrow: some
    kernel rounds to fewer bits than 32. The worst that is found; None: a result that the reference may give."""
    if len(expected.own) != len(obtained.outputs):
        return Difference("type", f"{len(obtained.outputs)} tensors are returned, the reference returns {len(expected.own)}")
    weak = None
    for i, (own, got) in enumerate(zip(expected.own, obtained.outputs, strict=True)):
        if got.shape != own.shape:
            return Difference("shape", f"output {i} has the shape {list(got.shape)}, the reference's has {list(own.shape)}", i)
        if got.dtype != own.dtype:
            return Difference("type", f"output {i} is {got.dtype}, the reference's is {own.dtype}", i)
        found = _of_floats(i, own, expected.wide[i], got, obtained.real[i], has_tf32, largest, is_narrow) if own.is_float else _of_integers(i, own, got)
        if found is not None and found.kind not in ("unsure", "less accurate"):
            return found
        weak = weak or found
    return weak


def _at(mask_or_size: Array) -> tuple[int, ...]:
    where = np.unravel_index(int(np.argmax(mask_or_size)), mask_or_size.shape)
    return tuple(int(one) for one in where)


def _place(element: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, element))}]"


def _of_integers(i: int, own: Bits, got: Bits) -> Difference | None:
    wrong = own.numbers() != got.numbers()
    if not wrong.any():
        return None
    at = _at(wrong)
    text = f"output {i}{_place(at)} is {got.numbers()[at]}, the reference gives {own.numbers()[at]}"
    return Difference("values", text, i, at)


def _of_floats(i: int, own: Bits, wide: Bits, got: Bits, real: tuple[Array, Array] | None, has_tf32: bool, largest: float, is_narrow: bool) -> Difference | None:
    near, exact, stored = own.numbers(), wide.numbers(), got.numbers()
    if not stored.size:
        return None
    scale = float(np.abs(exact).max())
    unit = 2.0 ** -PRECISION[own.dtype]
    allowed = ROOM * float(np.abs(near - exact).max()) + 64 * unit * np.abs(exact) + 4 * unit * scale
    with np.errstate(invalid="ignore", over="ignore"):
        away = np.abs(stored - exact)
    away = np.where(np.isfinite(stored) | (np.abs(exact) > LARGEST[own.dtype]), np.nan_to_num(away, nan=0.0), np.inf)
    is_off = away > allowed
    at = _at(np.where(is_off, away / np.maximum(allowed, 1e-300), -1.0) if is_off.any() else away)
    text = f"output {i}{_place(at)} is {stored[at]:.9g}, the reference gives {near[at]:.9g}"
    known = real is not None and not np.isnan(real[0]).any() and not np.isinf(real[0]).any()
    if real is None or not known:
        found = _digits(i, text, is_off, at, away, scale, has_tf32, largest, is_narrow) if is_off.any() else None
        return Difference("values", f"{text} (f64: {exact[at]:.12g})", i, at) if found and found.kind != "less accurate" else found
    middle, half = real[0] / 2 + real[1] / 2, real[1] / 2 - real[0] / 2
    far = np.abs(middle - exact)
    gap = far - 2 * half - FUNCTION * max(scale, 1e-300)
    if not (gap > 0).any() or float(far.max()) < unit / 16 * scale:  # a reference may cut terms that no digit shows
        return _digits(i, text, is_off, at, away, scale, has_tf32, largest, is_narrow) if is_off.any() else None
    if is_off.any():
        return Difference("function", f"{text}; without rounding it would be {middle[at]:.12g}, not {exact[at]:.12g}", i, at)
    at = _at(gap)
    part = float(np.abs(middle - exact)[at]) / max(scale, 1e-300)
    # Far beyond f64, but not to be seen in the type's own digits.
    return Difference("unsure", f"without rounding, output {i}{_place(at)} is {middle[at]:.12g} where the reference has "
                      f"{exact[at]:.12g} ({part:.2g} of the largest)", i, at)


def _digits(i: int, text: str, is_off: Array, at: tuple[int, ...], away: Array, scale: float, has_tf32: bool, largest: float, is_narrow: bool) -> Difference:
    part = float(away[at]) / max(scale, 1e-300)
    if not np.isfinite(away[at]):
        return Difference("values", f"{text}: a result without rounding is right, and overflows here", i, at)
    if has_tf32 and part < 2.0**-6:
        return Difference("less accurate", f"{text}: products in tf32", i, at)
    if part < 2.0**-18 or float(away[at]) < 2.0**-22 * largest:
        return Difference("less accurate", f"{text}: {int(is_off.sum())} elements are less accurate than the reference", i, at)
    if scale == 0 and float(away[at]) < 2.0**-18 * max(largest, 1.0):  # all of it cancels: softmax of zeros, minus itself
        return Difference("less accurate", f"{text}: terms cancel, and {int(is_off.sum())} elements keep what their rounding left", i, at)
    if not is_narrow:  # another formula of the same function, whose digits cancel
        kind, told = ("less accurate", "are less accurate than the reference") if part < ILL else ("values", "have lost their digits")
        return Difference(kind, f"{text}: the function is the same, {int(is_off.sum())} elements {told}", i, at)
    return Difference("precision", f"{text}: the function is the same, but {int(is_off.sum())} elements have fewer digits than the "
                      "reference's type", i, at)
