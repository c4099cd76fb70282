"""Axes and how they are combined: every point, every pair of values, or so many points by lot.

What is drawn depends on the seed alone (SplitMix64, not Python's generator), so that a plan has the same cases everywhere."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_MASK = 2**64 - 1
_MOST_VALUES = 1_000_000
MOST_PAIRS = 1_000_000  # that pairwise keeps in memory
_TRIES = 64  # fills of a row that holds one pair, before the pair counts as ruled out by `where`

Point = dict[str, Any]
Accepts = Callable[[Mapping[str, Any]], bool]


class AxisError(ValueError):
    """An axis cannot be read."""


class Lot:
    """SplitMix64 (Steele, Lea, Flood 2014)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; the bias of the remainder is below bound / 2**64."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return (word ^ (word >> 31)) % bound


def values_of(given: Any, lot: Lot) -> list[Any]:
    """The values of an axis in the TOML: a list, a range, or numbers drawn from one. Raises AxisError."""
    if isinstance(given, list):
        if not given:
            raise AxisError("an axis needs at least one value")
        return list(given)
    if not isinstance(given, dict):
        return [given]
    unknown = sorted(set(given) - {"from", "to", "step", "random"})
    if unknown or "from" not in given or "to" not in given:
        raise AxisError("a range is { from = A, to = B, step = C } or { random = N, from = A, to = B }")
    if any(isinstance(value, bool) or not isinstance(value, int) for value in given.values()):
        raise AxisError("a range takes whole numbers")
    return _drawn(given, lot) if "random" in given else _range(given)


def _range(given: Mapping[str, int]) -> list[int]:
    step = given.get("step", 1)
    if step <= 0:
        raise AxisError("the step of a range must be at least 1")
    count = (given["to"] - given["from"]) // step + 1
    if not 1 <= count <= _MOST_VALUES:
        raise AxisError(f"the range has {max(count, 0)} values; 1 to {_MOST_VALUES} are possible")
    return list(range(given["from"], given["to"] + 1, step))


def _drawn(given: Mapping[str, int], lot: Lot) -> list[int]:
    count, low, high = given["random"], given["from"], given["to"]
    if "step" in given or not 1 <= count <= min(high - low + 1, _MOST_VALUES):
        raise AxisError("`random` draws different numbers: at most as many as the range has, and without a step")
    found: dict[int, None] = {}
    while len(found) < count:
        found[low + lot.below(high - low + 1)] = None
    return sorted(found)


def product(axes: Mapping[str, Sequence[Any]], accepts: Accepts) -> Iterator[Point]:
    """Every point; the last axis changes fastest."""
    for values in itertools.product(*axes.values()):
        point = dict(zip(axes, values, strict=True))
        if accepts(point):
            yield point


def drawn(axes: Mapping[str, Sequence[Any]], accepts: Accepts, count: int, lot: Lot) -> Iterator[Point]:
    """`count` different points in the order of drawing; all points, by product, where there are no more."""
    size = math.prod(len(values) for values in axes.values())
    if size <= count:
        yield from product(axes, accepts)
        return
    seen: set[int] = set()
    found = 0
    while found < count and len(seen) < min(size, 50 * count):
        number = lot.below(size)
        if number in seen:
            continue
        seen.add(number)
        point = _point_at(axes, number)
        if accepts(point):
            found += 1
            yield point


def _point_at(axes: Mapping[str, Sequence[Any]], number: int) -> Point:
    point: Point = {}
    for name in reversed(list(axes)):
        number, index = divmod(number, len(axes[name]))
        point[name] = axes[name][index]
    return {name: point[name] for name in axes}


def pairs_in(axes: Mapping[str, Sequence[Any]]) -> int:
    """How many pairs of values of different axes there are."""
    sizes = [len(values) for values in axes.values()]
    return (sum(sizes) ** 2 - sum(size * size for size in sizes)) // 2


def pairwise(axes: Mapping[str, Sequence[Any]], accepts: Accepts, lot: Lot) -> Iterator[Point]:
    """Points such that every two values of different axes meet in one, except pairs that `accepts` never allows."""
    if len(axes) < 2:
        yield from product(axes, accepts)
        return
    names = list(axes)
    left = _Pairs([len(axes[name]) for name in names])
    while (pair := left.first()) is not None:
        row = _row(axes, names, pair, left, accepts, lot)
        if row is None:
            left.drop(pair)
            continue
        left.cover(row)
        yield {name: axes[name][index] for name, index in zip(names, row, strict=True)}


class _Pairs:
    """The pairs of values that have not met yet: ((axis, value), (axis, value)) by number, the smaller axis first."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._open: dict[tuple[int, int, int, int], None] = {}
        for one, other in itertools.combinations(range(len(sizes)), 2):
            for a, b in itertools.product(range(sizes[one]), range(sizes[other])):
                self._open[one, a, other, b] = None

    def first(self) -> tuple[int, int, int, int] | None:
        return next(iter(self._open), None)

    def drop(self, pair: tuple[int, int, int, int]) -> None:
        del self._open[pair]

    def cover(self, row: Sequence[int]) -> None:
        for (one, a), (other, b) in itertools.combinations(enumerate(row), 2):
            self._open.pop((one, a, other, b), None)

    def gain(self, chosen: Mapping[int, int], axis: int, value: int) -> int:
        """How many open pairs `value` of `axis` would close together with the chosen values."""
        return sum(
            ((one, a, axis, value) if one < axis else (axis, value, one, a)) in self._open for one, a in chosen.items()
        )


def _row(axes: Mapping[str, Sequence[Any]], names: Sequence[str], pair: tuple[int, int, int, int], left: _Pairs,
         accepts: Accepts, lot: Lot) -> list[int] | None:  # fmt: skip
    """A row that holds the pair, with the other values chosen to close most pairs; at random where `accepts` refuses that."""
    sizes = [len(axes[name]) for name in names]
    for attempt in range(_TRIES):
        chosen = {pair[0]: pair[1], pair[2]: pair[3]}
        for axis in range(len(names)):
            if axis in chosen:
                continue
            start = lot.below(sizes[axis])
            order = [(start + step) % sizes[axis] for step in range(sizes[axis])]
            gains = {value: left.gain(chosen, axis, value) if attempt == 0 else 0 for value in order}
            chosen[axis] = max(order, key=gains.__getitem__)
        row = [chosen[axis] for axis in range(len(names))]
        if accepts({name: axes[name][index] for name, index in zip(names, row, strict=True)}):
            return row
    return None
