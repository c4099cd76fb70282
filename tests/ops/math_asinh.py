"""math.asinh: the inverse hyperbolic sine."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.asinh", np.arcsinh, gpu=mpfr.NO_PATTERN)
