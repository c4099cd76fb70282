"""tt.precise_divf: a / b, rounded once."""

import numpy as np
from support import float_binary


def cases():
    yield from float_binary.cases("tt.precise_divf", np.divide)
