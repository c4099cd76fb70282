"""arith.divf: a / b, rounded once."""

import numpy as np
from support import float_binary


def cases():
    yield from float_binary.cases("arith.divf", np.divide)
