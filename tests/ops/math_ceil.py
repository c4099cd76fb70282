"""math.ceil: the least whole number not below x."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.exact("math.ceil", np.ceil)
