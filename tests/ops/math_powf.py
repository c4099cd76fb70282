"""math.powf: a^b with C's special values (1^NaN and NaN^0 are 1)."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.binary("math.powf", np.power, "pow", gpu=mpfr.NO_PATTERN)
