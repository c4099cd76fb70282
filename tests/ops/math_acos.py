"""math.acos: the arc cosine, in [0, pi]; NaN outside [-1, 1]."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.acos", np.arccos, gpu=mpfr.NO_PATTERN)
