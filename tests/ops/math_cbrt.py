"""math.cbrt: the cube root."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.cbrt", np.cbrt, gpu=mpfr.NO_PATTERN)
