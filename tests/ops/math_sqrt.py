"""math.sqrt: the square root, rounded once; an H200 flushes subnormals and is 1 ulp off at times."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.exact("math.sqrt", np.sqrt)
