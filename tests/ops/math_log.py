"""math.log: the natural logarithm; -infinity at 0, NaN below."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.log", np.log)
