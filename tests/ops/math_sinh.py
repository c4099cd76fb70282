"""math.sinh: the hyperbolic sine."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.sinh", np.sinh, gpu=mpfr.NO_PATTERN)
