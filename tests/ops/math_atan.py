"""math.atan: the arc tangent."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.atan", np.arctan, gpu=mpfr.NO_PATTERN)
