"""Bounds of random numbers: the whole range of each, since a graph does not say which generator makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lockstep.models.bounds.interval import Cannot, Interval, Value
from lockstep.models.bounds.movement import moved, unset


def _between(dtype: str, size: Sequence[int], low: float, high: float) -> Interval:
    return Interval(*(torch.full(tuple(size), float(end), dtype=torch.float64) for end in (low, high)), dtype)


def random(dtype: str, size: Sequence[int], _: Value, kind: str = "rand", **__: Any) -> Interval:
    """From 0 to 1; normally distributed ones ("randn") may be any. The seed does not count."""
    if kind not in ("rand", "randn"):
        raise Cannot(f"random numbers of the kind {kind}")
    return _between(dtype, size, *((0, 1) if kind == "rand" else (-torch.inf, torch.inf)))


def random_integers(dtype: str, low: int, high: int, size: Sequence[int], *_: Any, **__: Any) -> Interval:
    """`high` itself is none of them."""
    return _between(dtype, size, low, high - 1)


RULES: dict[str, Callable[..., Any]] = {
    "inductor_random": random, "inductor_randint": random_integers, "inductor_seed": lambda d, *_, **__: unset(d, ()),
    "inductor_seeds": lambda d, count, *_, **__: unset(d, (count,)), "inductor_lookup_seed": moved(lambda seeds, number: seeds[number]),
}  # fmt: skip
