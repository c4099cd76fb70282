"""math.log2: the logarithm to base 2."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.log2", np.log2)
