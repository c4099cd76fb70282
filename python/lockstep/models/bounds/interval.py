"""Intervals of tensors: lower and upper ends of each element, in f64, and what rounding adds to them.

Inductor computes f16 and bf16 in f32 and rounds when it stores. So a result is rounded to f32 at each op (to f64 if it has f64), and
may or may not be rounded to its own type where the graph converts. A NaN end means: anything is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

import torch

FLOATS = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32, "float64": torch.float64}
_SLACK = 2.0**-49  # of our own f64 arithmetic, relative


class Cannot(Exception):
    """There are no bounds, and why."""


@dataclass(frozen=True)
class Interval:
    """Ends of each element, f64 tensors of one shape. `dtype` is the FX node's ("bfloat16")."""

    low: torch.Tensor
    high: torch.Tensor
    dtype: str

    @property
    def shape(self) -> torch.Size:
        return self.low.shape

    @property
    def is_exact(self) -> bool:
        return self.low is self.high or bool(torch.equal(self.low, self.high))

    def map(self, function: Any) -> Interval:
        """An op that only moves elements, for both ends."""
        low = function(self.low)
        return Interval(low, low if self.low is self.high else function(self.high), self.dtype)

    def magnitude(self) -> torch.Tensor:
        return torch.maximum(self.low.abs(), self.high.abs())


@dataclass(frozen=True)
class Maybe:
    """A boolean tensor of which some elements are not known: certainly true, possibly true."""

    certain: torch.Tensor
    possible: torch.Tensor

    @property
    def shape(self) -> torch.Size:
        return self.certain.shape

    def map(self, function: Any) -> Maybe:
        return Maybe(function(self.certain), function(self.possible))


@dataclass(frozen=True)
class Places:
    """Where `values` are among `numbers` along `dim`: places of equal ones may come in any order, and none twice. Without `keeps` a tensor of places
    lacks that dimension."""

    numbers: torch.Tensor
    values: torch.Tensor
    dim: int
    keeps: bool = True

    @property
    def shape(self) -> torch.Size:
        return self.values.shape if self.keeps else self.values.squeeze(self.dim).shape

    def outside(self, given: torch.Tensor) -> torch.Tensor:
        """Which elements of a tensor of this shape are no such places."""
        got = given if self.keeps else given.unsqueeze(self.dim)
        is_there = (got >= 0) & (got < self.numbers.shape[self.dim])
        found = torch.gather(self.numbers, self.dim, torch.where(is_there, got, 0).long())
        is_right = is_there & ((found == self.values) | (found.isnan() & self.values.isnan()))
        in_order, order = torch.sort(got, dim=self.dim, stable=True)
        comes_again = torch.zeros_like(is_right)
        comes_again.narrow(self.dim, 1, max(got.shape[self.dim] - 1, 0)).copy_(in_order.diff(dim=self.dim) == 0)
        outside = ~is_right | torch.zeros_like(is_right).scatter_(self.dim, order, comes_again)
        return outside if self.keeps else outside.squeeze(self.dim)


Value = Union[Interval, Maybe, Places, torch.Tensor, int, float, bool, None, tuple, list]


def exact(tensor: torch.Tensor) -> Value:
    """A tensor as it is in memory: an interval without width, or the integers themselves."""
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in FLOATS:
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            raise Cannot(f"there are no bounds of {name}")
        return tensor
    ends = tensor.to(torch.float64)
    return Interval(ends, ends, name)


def as_interval(value: Value, dtype: str = "float32") -> Interval:
    """A number, integer tensor or interval as an interval. Raises Cannot for others."""
    if isinstance(value, Interval):
        return value
    if isinstance(value, Maybe):
        return Interval(value.certain.to(torch.float64), value.possible.to(torch.float64), dtype)
    if isinstance(value, torch.Tensor):
        ends = value.to(torch.float64)
        return Interval(ends, ends, dtype)
    if isinstance(value, (bool, int, float)):
        ends = torch.tensor(float(value), dtype=torch.float64)
        if isinstance(value, float) and dtype != "float64":
            return _constant(ends, dtype)
        return Interval(ends, ends, dtype)
    raise Cannot(f"a value of type {type(value).__name__} has no bounds")


def _constant(value: torch.Tensor, dtype: str) -> Interval:
    """A kernel has a constant as f32; where Inductor folds it into another, its digits are those of f64."""
    narrow = value.to(torch.float32).to(torch.float64)
    if bool((narrow == value) | narrow.isinf() | narrow.isnan()):
        return Interval(value, value, dtype)
    return Interval(torch.minimum(value, narrow), torch.maximum(value, narrow), dtype)


def unit(dtype: str) -> float:
    """The relative rounding of arithmetic on values of a type: f32's for narrower ones."""
    return 2.0**-53 if dtype == "float64" else 2.0**-24


def rounded(low: torch.Tensor, high: torch.Tensor, dtype: str, ulps: float = 0.5) -> Interval:
    """The ends of an exact result after an op that is wrong by `ulps` of its type for arithmetic."""
    limits = torch.finfo(torch.float64 if dtype == "float64" else torch.float32)
    relative = 2 * ulps * unit(dtype) + _SLACK
    absolute = limits.tiny if dtype != "float64" else 0.0  # denormals may be flushed
    low = low - low.abs() * relative - absolute
    high = high + high.abs() * relative + absolute
    return _overflowed(low, high, dtype, limits.max)


def _overflowed(low: torch.Tensor, high: torch.Tensor, dtype: str, largest: float) -> Interval:
    """Beyond the largest number, rounding may give it or infinity."""
    if dtype == "float64":
        return Interval(low, high, dtype)
    low = torch.where(low < -largest, -torch.inf, torch.where((low > largest) & ~low.isinf(), largest, low))
    high = torch.where(high > largest, torch.inf, torch.where((high < -largest) & ~high.isinf(), -largest, high))
    return Interval(low, high, dtype)


def stored(value: Interval, dtype: str) -> Interval:
    """The ends of what memory of a type may hold: rounded to it once more."""
    if dtype == "float64":
        return value
    limits = torch.finfo(FLOATS[dtype])
    low = value.low - value.low.abs() * (limits.eps / 2 * 1.0001) - limits.smallest_normal * limits.eps
    high = value.high + value.high.abs() * (limits.eps / 2 * 1.0001) + limits.smallest_normal * limits.eps
    if dtype == "float32" and value.dtype != "float64":
        return value  # rounded already
    return _overflowed(low, high, dtype, limits.max)


def converted(value: Interval, dtype: str) -> Interval:
    """A conversion of the graph: Inductor may leave it out between ops of one kernel."""
    if unit(dtype) == unit(value.dtype) and dtype == "float32":
        return Interval(value.low, value.high, dtype)
    inner = stored(value, dtype)
    return Interval(torch.minimum(value.low, inner.low), torch.maximum(value.high, inner.high), dtype)


def hull(*parts: Interval) -> Interval:
    """The smallest interval around all."""
    low, high = parts[0].low, parts[0].high
    for one in parts[1:]:
        low, high = torch.minimum(low, one.low), torch.maximum(high, one.high)
    return Interval(low, high, parts[0].dtype)
