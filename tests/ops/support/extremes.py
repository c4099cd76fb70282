"""Maximum and minimum by their definitions: what becomes of NaN, and that -0 is below +0."""

from __future__ import annotations

import numpy as np


def pick(a: np.ndarray, b: np.ndarray, largest: bool) -> np.ndarray:
    """The larger or smaller of two numbers, elsewhere anything."""
    first = np.where(a == b, np.signbit(a) != largest, a > b if largest else a < b)
    return np.where(first, a, b)


def largest_or_nan(a, b):
    return np.where(np.isnan(a) | np.isnan(b), np.nan, pick(a, b, True)).astype(a.dtype)


def smallest_or_nan(a, b):
    return np.where(np.isnan(a) | np.isnan(b), np.nan, pick(a, b, False)).astype(a.dtype)


def largest_number(a, b):
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, pick(a, b, True))).astype(a.dtype)


def smallest_number(a, b):
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, pick(a, b, False))).astype(a.dtype)
