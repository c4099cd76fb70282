"""math.asin: the arc sine; NaN outside [-1, 1]."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.asin", np.arcsin, gpu=mpfr.NO_PATTERN)
