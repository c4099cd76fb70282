"""math.fpowi: a^n for a whole n; no rounding between the multiplications that it stands for."""

import numpy as np
from support import elements, kernels, mpfr, rows

EXPONENTS = np.array([0, 1, -1, 2, 3, -3, 10, 33, -47, 100, 127, -128, 2, -2], np.int32)


def cases():
    for element in elements.FLOATS:
        a = mpfr.inputs_of(element, 1)["a"]
        for kind in ["i32", "i16", "i8"] if element in mpfr.REAL else ["i32"]:
            n = np.resize(EXPONENTS, a.size).astype(elements.DTYPE[kind])
            if kind == "i32":
                n[5::101], n[6::101] = -(2**31), 2**31 - 1
            line = f"%r = math.fpowi %a, %b : TILE({element}), TILE({kind})"
            judge = mpfr.within("powi", rows.row("math.fpowi").ulp)

            def bound(outputs, expected, inputs, judge=judge):
                return judge(outputs, expected, [inputs[0], inputs[1].astype(np.int32)])

            arrays = {"a": a, "b": n}
            yield kernels.elementwise(f"{element}_{kind}", line, arrays, {"r": element}, None, bound=bound, gpu=mpfr.NO_PATTERN)
