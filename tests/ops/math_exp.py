"""math.exp: e^x; a GPU computes 2^(x log2 e), which loses about |x| ulp."""

import numpy as np
from support import mpfr


def cases():
    yield from mpfr.unary("math.exp", np.exp, gpu=lambda x: 3 + np.abs(1.173 * x))
