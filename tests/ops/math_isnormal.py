"""math.isnormal: x is finite and at least as large as the type's least normal number."""

import numpy as np
from support import elements, kernels, mpfr


def is_normal(a):
    wide = np.abs(a.astype(np.float64))
    return np.isfinite(wide) & (wide >= 2.0 ** float(elements.FORMAT[elements.name_of(a.dtype)].lowest_exponent))


def cases():
    for element in [*elements.FLOATS, *elements.FLOAT8]:
        line = f"%r = math.isnormal %a : TILE({element})"
        yield kernels.elementwise(element, line, mpfr.inputs_of(element, 1), {"r": "i1"}, is_normal, gpu=mpfr.NO_PATTERN)
