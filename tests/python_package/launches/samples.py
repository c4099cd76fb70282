"""Input values: the edges of a type first, then random ones, the same for ever (Philox, keyed by the case's name).

`values` are any values of a type; `moderate` leave out what makes results undefined or infinite; `whole` are small
integers, whose sums are exact in every type and order.
"""

from __future__ import annotations

import zlib

import numpy as np
from conversion import array, wrapped
from scalar_types import FLOAT8, TYPES, is_float, kind, range_of


def generator(key: str) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(zlib.crc32(key.encode())))


def _edges(name: str) -> list:
    if kind(name) == "bool":
        return [True, False]
    if kind(name) == "int":
        low, high = range_of(name)
        return [0, 1, high, low, high - 1, low + 1, 2, 3, 7, 10, high // 2]
    form = TYPES[name]
    if name in FLOAT8:
        return [0.0, -0.0, 1.0, -1.0, 448.0, -448.0, 2.0**-6, 0.0625, float("nan"), 1.5, -3.5, 2.0]
    import ml_dtypes

    info = ml_dtypes.finfo(form.numpy)
    tiny, largest = float(info.smallest_normal), float(info.max)
    least = float(info.smallest_subnormal)
    return [
        0.0,
        -0.0,
        1.0,
        -1.5,
        largest,
        -largest,
        tiny,
        least,
        float("inf"),
        float("-inf"),
        float("nan"),
        1 / 3,
        -7.25,
    ]


def _random(name: str, count: int, rng: np.random.Generator) -> np.ndarray:
    if kind(name) == "bool":
        return rng.integers(0, 2, count).astype(bool)
    if kind(name) == "int":
        small = rng.integers(-100, 101, count)
        wild = rng.integers(0, 2**63, count)
        return wrapped(np.where(rng.random(count) < 0.5, small, wild), name)
    mixed = rng.normal(size=count) * np.exp2(rng.integers(-6, 7, count).astype(np.float64))
    return array(mixed, name)


def values(name: str, shape: tuple[int, ...], key: str) -> np.ndarray:
    """Edges at places that depend on the key, random values elsewhere."""
    rng = generator(key)
    count = int(np.prod(shape, dtype=int))
    data = _random(name, count, rng)
    edges = _edges(name)
    chosen = rng.permutation(len(edges))[: max(count // 2, 1)]
    places = rng.permutation(count)[: len(chosen)]
    edge_values = wrapped(edges, name) if not is_float(name) else array(edges, name)
    data[places] = edge_values[chosen[: len(places)]]
    return data.reshape(shape)


def moderate(name: str, shape: tuple[int, ...], key: str, low: float = -8.0, high: float = 8.0) -> np.ndarray:
    """Finite numbers in [low, high), not all whole."""
    rng = generator(key)
    low = max(low, 0.0) if not TYPES[name].is_signed else low
    if kind(name) == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if kind(name) == "int":
        return wrapped(rng.integers(int(low), int(high), shape), name)
    return array(rng.uniform(low, high, shape), name)


def whole(name: str, shape: tuple[int, ...], key: str, bound: int = 3) -> np.ndarray:
    """Integers in [-bound, bound] (from 0 for unsigned types)."""
    rng = generator(key)
    low = -bound if TYPES[name].is_signed else 0
    drawn = rng.integers(low, bound + 1, shape)
    return drawn.astype(bool) if kind(name) == "bool" else array(drawn, name)


def distinct(name: str, shape: tuple[int, ...], key: str) -> np.ndarray:
    """A permutation of small integers: no ties."""
    count = int(np.prod(shape, dtype=int))
    order = generator(key).permutation(count)
    if TYPES[name].is_signed:
        order = order - count // 2
    return array(order, name).reshape(shape)


def nonzero(data: np.ndarray, name: str) -> np.ndarray:
    """Zeros replaced by 3 (by True)."""
    return np.where(data == 0, array(1 if kind(name) == "bool" else 3, name), data)
