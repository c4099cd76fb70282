"""math.atanh: the inverse hyperbolic tangent; infinite at 1 and -1, NaN beyond."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.atanh", np.arctanh, gpu=mpfr.NO_PATTERN)
