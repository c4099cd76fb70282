"""math.rsqrt: 1 / the square root; signed infinities at zeros."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.rsqrt", lambda x: 1 / np.sqrt(x))
