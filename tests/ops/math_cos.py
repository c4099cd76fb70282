"""math.cos: the cosine, with full reduction of large angles."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.cos", np.cos)
