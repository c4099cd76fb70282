"""math.cosh: the hyperbolic cosine."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.cosh", np.cosh, gpu=mpfr.NO_PATTERN)
