"""math.log10: the logarithm to base 10."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.log10", np.log10, gpu=mpfr.NO_PATTERN)
