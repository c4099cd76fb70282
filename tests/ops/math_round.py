"""math.round: the nearest whole number, ties away from zero."""

import numpy as np
from support import mpfr


def half_away(x):
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole), x)


def cases():
    yield from mpfr.exact("math.round", half_away, gpu=mpfr.NO_PATTERN)
