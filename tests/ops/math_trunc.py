"""math.trunc: x without its fraction."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.exact("math.trunc", np.trunc, gpu=mpfr.NO_PATTERN)
