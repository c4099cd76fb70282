"""math.acosh: the inverse hyperbolic cosine; NaN below 1."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.acosh", np.arccosh, gpu=mpfr.NO_PATTERN)
