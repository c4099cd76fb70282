"""math.exp2: 2^x."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.exp2", np.exp2)
