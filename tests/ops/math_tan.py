"""math.tan: the tangent, with full reduction of large angles."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.tan", np.tan, gpu=mpfr.NO_PATTERN)
