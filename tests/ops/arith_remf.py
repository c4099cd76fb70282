"""arith.remf: a - b * trunc(a / b), exact, with the sign of a."""

import numpy as np
from support import float_binary


def cases():
    yield from float_binary.cases("arith.remf", np.fmod)
