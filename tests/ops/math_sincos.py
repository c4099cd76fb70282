"""math.sincos: sine and cosine as math.sin and math.cos give them."""

import numpy as np
from support import elements, kernels, mpfr, references


def cases():
    for element in elements.FLOATS:
        a = mpfr.inputs_of(element, 1)["a"]
        lines = [f"%s, %c = math.sincos %a : TILE({element})"]

        def bound(outputs, expected, inputs):
            problems = [mpfr.within(name, 0.6)([out], [], inputs) for name, out in zip(("sin", "cos"), outputs)]
            return problems[0] or problems[1]

        yield kernels.elementwise(element, lines, {"a": a}, {"s": element, "c": element}, None, bound=bound, gpu=mpfr.NO_PATTERN)
    for element in elements.FLOAT8:
        a = mpfr.inputs_of(element, 1)["a"]
        pair = [references.once_rounded(f, element, "saturate") for f in (np.sin, np.cos)]
        lines = [f"%s, %c = math.sincos %a : TILE({element})"]
        yield kernels.elementwise(element, lines, {"a": a}, {"s": element, "c": element},
                                  lambda a, pair=pair: [f(a) for f in pair], gpu=mpfr.NO_F8)  # fmt: skip
