"""math.tanh: the hyperbolic tangent."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.tanh", np.tanh, gpu=mpfr.NO_PATTERN)
