"""math.roundeven: the nearest whole number, ties to even."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.exact("math.roundeven", np.rint, gpu=mpfr.NO_PATTERN)
