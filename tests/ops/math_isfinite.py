"""math.isfinite: x is neither infinite nor NaN; every value of the types up to 16 bits."""

import numpy as np
from support import elements, kernels, mpfr


def cases():
    for element in [*elements.FLOATS, *elements.FLOAT8]:
        line = f"%r = math.isfinite %a : TILE({element})"
        yield kernels.elementwise(element, line, mpfr.inputs_of(element, 1), {"r": "i1"},
                                  lambda a: np.isfinite(a.astype(np.float64)), gpu=mpfr.NO_PATTERN)  # fmt: skip
