"""math.atan2: the angle of the point (b, a)."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.binary("math.atan2", np.arctan2, "atan2", gpu=mpfr.NO_PATTERN)
