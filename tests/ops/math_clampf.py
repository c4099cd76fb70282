"""math.clampf: min(max(value, low), high), NaN if one of the three is NaN."""

import numpy as np
from support import elements, kernels, mpfr, values


def clamped(a, b, c):
    wide = [x.astype(np.float64) for x in (a, b, c)]
    picked = np.where(wide[0] < wide[1], b, a)
    picked = np.where(np.maximum(wide[0], wide[1]) > wide[2], c, picked)
    nan = np.isnan(wide[0]) | np.isnan(wide[1]) | np.isnan(wide[2])
    return np.where(nan, np.array(np.nan).astype(a.dtype), picked).astype(a.dtype)


def cases():
    for element in elements.FLOATS:
        a = values.floats(element, 1024, 1)
        low, high = -np.abs(values.moderate_floats(element, 1024, 2)), np.abs(values.moderate_floats(element, 1024, 3))
        low[::97] = np.nan
        line = f"%r = math.clampf %a to [%b, %c] : TILE({element})"
        arrays = {"a": a, "b": low, "c": high}
        yield kernels.elementwise(element, line, arrays, {"r": element}, clamped, gpu=mpfr.NO_PATTERN)
