"""math.erf: the error function."""

import math

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.erf", np.vectorize(math.erf, otypes=[float]))
