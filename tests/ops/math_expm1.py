"""math.expm1: e^x - 1, accurate near 0."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.expm1", np.expm1, gpu=mpfr.NO_PATTERN)
