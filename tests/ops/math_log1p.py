"""math.log1p: the logarithm of 1 + x, accurate near 0."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.log1p", np.log1p, gpu=mpfr.NO_PATTERN)
