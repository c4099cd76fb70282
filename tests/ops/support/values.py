"""Inputs: the same for ever (Philox counters, not NumPy's distributions), with every special value in front."""

from __future__ import annotations

import itertools

import numpy as np
from support import elements


def random_bits(count: int, seed: int) -> np.ndarray:
    """Unsigned 64-bit integers."""
    return np.asarray(np.random.Philox(key=seed).random_raw(count), dtype=np.uint64)


def all_bits(element: str) -> np.ndarray:
    """Every value of an 8- or 16-bit type (or both of i1), in the order of their bits."""
    return elements.from_bits(np.arange(1 << elements.width(element), dtype=np.uint64), element)


def all_pairs(element: str) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of values of an 8-bit type, 65,536 of them (4 of i1)."""
    values = all_bits(element)
    return np.repeat(values, len(values)), np.tile(values, len(values))


def special_integers(element: str) -> np.ndarray:
    size = elements.width(element)
    if size == 1:
        return np.array([False, True])
    top = 1 << (size - 1)
    numbers = [0, 1, 2, 3, 5, 7, 10, size - 1, size, size + 1, 2 * size, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 2 * top - 7]
    return elements.from_bits(np.array(numbers, dtype=np.uint64), element)


def special_floats(element: str) -> np.ndarray:
    """Zeros, ones, limits of normal and subnormal numbers, infinities and NaN, of both signs."""
    form = elements.FORMAT[element]
    tiny = 2.0 ** float(form.lowest_exponent)
    least = np.ldexp(tiny, 1 - form.precision)
    epsilon = 2.0 ** (1 - form.precision)
    magnitudes = [0.0, 1.0, 1 + epsilon, 1 - epsilon / 2, 2.0, 3.0, 0.5, 1.5, 10.0, least, 3 * least, tiny - least, tiny]
    magnitudes += [tiny * (1 + epsilon), form.largest, form.largest / 2, np.nan] + ([np.inf] if form.has_infinity else [])
    both = np.array([sign * m for m in magnitudes for sign in (1.0, -1.0)])
    with np.errstate(all="ignore"):
        return both.astype(elements.DTYPE[element])


def moderate_floats(element: str, count: int, seed: int) -> np.ndarray:
    """Numbers of both signs between 2^-6 and 2^6, with random significands, exact in the type."""
    raw = random_bits(count, seed)
    form = elements.FORMAT[element]
    significand = 1.0 + ((raw >> np.uint64(8)) % np.uint64(1 << (form.precision - 1))).astype(np.float64) * 2.0 ** (1 - form.precision)
    exponent = (raw & np.uint64(0xFF)).astype(np.int64) % 12 - 6
    sign = np.where(raw >> np.uint64(63), -1.0, 1.0)
    return (sign * np.ldexp(significand, exponent)).astype(elements.DTYPE[element])


def floats(element: str, count: int, seed: int = 1) -> np.ndarray:
    """Special values first, then half moderate numbers, half random bits."""
    special = special_floats(element)
    mixed = moderate_floats(element, count, seed)
    wild = elements.from_bits(random_bits(count, seed + 1000), element)
    mixed[1::2] = wild[1::2]
    return np.concatenate([special, mixed])[:count]


def integers(element: str, count: int, seed: int = 1) -> np.ndarray:
    """Special values first, then small numbers of both signs and random bits."""
    raw = random_bits(count, seed)
    small = (raw % np.uint64(201)).astype(np.int64) - 100
    mixed = np.where(raw >> np.uint64(63), small.astype(np.uint64), random_bits(count, seed + 1000))
    return np.concatenate([special_integers(element), elements.from_bits(mixed, element)])[:count]


def some(element: str, count: int, seed: int = 1) -> np.ndarray:
    """Values of any type."""
    return floats(element, count, seed) if elements.is_float(element) else integers(element, count, seed)


def pairs(element: str, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Operands of a binary op: all pairs of an 8-bit type where they fit `count` or more, else every pair of special values,
    then random ones."""
    if elements.width(element) <= 8 and count >= 65536:
        return all_pairs(element)
    special = special_floats(element) if elements.is_float(element) else special_integers(element)
    both = list(itertools.product(range(len(special)), repeat=2))
    left, right = special[[a for a, _ in both]], special[[b for _, b in both]]
    return (
        np.concatenate([left, some(element, count, seed)])[:count],
        np.concatenate([right, some(element, count, seed + 77)[::-1]])[:count],
    )


def from_random_bits(element: str, count: int, seed: int = 1) -> np.ndarray:
    """Every bit pattern is as likely as every other."""
    return elements.from_bits(random_bits(count, seed) >> np.uint64(64 - max(elements.width(element), 1)), element)
