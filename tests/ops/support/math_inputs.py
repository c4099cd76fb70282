"""Inputs of the functions that are measured against MPFR: every exponent, the places where functions turn, random ones.

All from integers, so that they are the same everywhere."""

from __future__ import annotations

import numpy as np
from support import values

INTEGER = {np.float32: np.uint32, np.float64: np.uint64}
MANTISSA = {np.float32: 23, np.float64: 52}

#: Zeros, poles, branch points and changes of method of the functions in math and libdevice.
TURNS = [
    0.0, 0.25, 0.3, 0.5, 0.75, 1.0, 1.4616321449683623, 1.5, 2.0, 2.404825557695773, 2.5, 3.0, 3.8317059702075125, 4.0,
    5.520078110286311, 7.015586669815619, 8.0, 8.653727912911013, 10.173468135062722, 0.8935769662791675,
    2.197141326031017, 3.957678419314858, 5.429681040794135, 7.086051060301773, 0.5772156649015329, 6.0, 7.0, 9.0, 10.0,
    0.7853981633974483, 1.5707963267948966, 3.141592653589793, 4.71238898038469, 6.283185307179586, 103.972, 104.0,
    88.72283905206835, 87.33654475055310, 709.782712893384, 708.3964185322641, 745.1332191019411, 128.0, 149.0, 126.0,
    1022.0, 1024.0, 1074.0, 308.2547155599167, 38.53183944498959, 323.3062153431158, 44.8534695, 26.543, 27.226017111108366,
    9.194, 10.05, 13.0, 14.45, 37.5193793471445, 38.485, 171.62437695630272, 35.04010009765625, 20.0, 23.0, 2.457024,
    2.7476826467274127, 3.1435808883499797, 4.039361839740537, 713.987, 91.9, 1e5, 1e8, 1e15, 1e22, 1e30,
]  # fmt: skip


def bits(count: int, seed: int, dtype) -> np.ndarray:
    """Random bit patterns of a float type's width."""
    integer = np.dtype(INTEGER[dtype])
    return (values.random_bits(count, seed) >> np.uint64(64 - 8 * integer.itemsize)).astype(integer)


def uniform(count: int, seed: int, dtype, low: float, high: float) -> np.ndarray:
    fraction = (values.random_bits(count, seed) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (low + (high - low) * fraction).astype(dtype)


def exponents(dtype, seed: int) -> np.ndarray:
    """Numbers of every exponent, of both signs."""
    integer, mantissa = INTEGER[dtype], MANTISSA[dtype]
    every = np.arange(1 << (8 * np.dtype(dtype).itemsize - mantissa), dtype=integer) << integer(mantissa)
    low = bits(every.size, seed, dtype) & integer((1 << mantissa) - 1)
    return (every | low).view(dtype)


def neighbours(points, dtype, reach: int) -> np.ndarray:
    """The points, `reach` floats to either side of each, and the same mirrored."""
    points = np.asarray(points, np.float64).astype(dtype)
    steps = np.arange(-reach, reach + 1)
    around = points.view(INTEGER[dtype]).astype(np.int64)[:, None] + steps[None, :]
    around = np.maximum(around, 0).astype(INTEGER[dtype]).view(dtype).ravel()
    return np.concatenate([around, -around])


def specials(dtype) -> np.ndarray:
    info = np.finfo(dtype)
    values = [0.0, np.inf, info.max, info.tiny, info.smallest_subnormal, 1.0, info.eps, 1 + info.eps, 1 - info.epsneg, 2.0, 0.5]
    values = np.array(values, dtype)
    return np.concatenate([values, -values, [np.nan]]).astype(dtype)


def unary(dtype, size: int = 8192) -> np.ndarray:
    """A stratified set of about `size` numbers."""
    parts = [specials(dtype), neighbours(TURNS, dtype, 4), exponents(dtype, 1)]
    parts += [uniform(700, 2, dtype, -1, 1), uniform(700, 3, dtype, -10, 10), uniform(300, 4, dtype, -120, 120)]
    parts += [uniform(300, 5, dtype, -750, 750), uniform(200, 6, dtype, 0.9, 1.1), uniform(100, 7, dtype, -1e5, 1e5)]
    parts.append(bits(200, 8, dtype).view(dtype))
    return np.concatenate(parts)[:size] if size < sum(p.size for p in parts) else np.concatenate(parts)


def several(dtype, operands: int, size: int = 6144) -> list[np.ndarray]:
    """Operands of a function of two or more numbers: of one magnitude, of any two, and special ones crossed."""
    special = specials(dtype)
    crossed = np.meshgrid(*[special if k < 2 else special[::7] for k in range(operands)], indexing="ij")
    columns = []
    for k in range(operands):
        parts = [crossed[k].ravel()]
        parts += [uniform(1500, 10 + k, dtype, -2, 2), uniform(1500, 20 + k, dtype, -100, 100)]
        parts += [uniform(700, 30 + k, dtype, 0, 2), bits(900, 40 + k, dtype).view(dtype)]
        columns.append(np.concatenate(parts)[:size])
    return columns
