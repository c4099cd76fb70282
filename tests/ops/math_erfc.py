"""math.erfc: 1 - the error function, accurate where that is tiny."""

import math

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.erfc", np.vectorize(math.erfc, otypes=[float]), gpu=mpfr.NO_PATTERN)
