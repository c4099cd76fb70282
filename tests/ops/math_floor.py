"""math.floor: the greatest whole number not above x."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.exact("math.floor", np.floor)
