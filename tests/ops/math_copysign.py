"""math.copysign: |a| with the sign of b. The NaN of a FNUZ type has no sign."""

import numpy as np
from support import mpfr


def reference(a, b):
    return np.copysign(a, np.where(np.isnan(b), np.abs(b), b))


def cases():
    for case in mpfr.exact("math.copysign", np.copysign, gpu=mpfr.NO_PATTERN, operands=2):
        if "FNUZ" not in case.name:
            yield case
    for element in ["f8E4M3FNUZ", "f8E5M2FNUZ"]:
        yield from (c for c in mpfr.float8("%r = math.copysign %a, %b : TYPE", reference, 2) if c.name == element)
