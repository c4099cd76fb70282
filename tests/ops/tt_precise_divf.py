"""tt.precise_divf: a / b, rounded once."""

import numpy as np
from support import float_binary


def cases():
    for case in float_binary.cases("tt.precise_divf", np.divide):
        if "fastmath" not in case.name:  # an attribute of arith's ops
            yield case
