"""math.ipowi: a^b, wrapping; a negative b as 1 / a^-b, truncated (0 gives all ones, S-20)."""

import numpy as np
from support import elements, kernels, mpfr, references, values


def power(a, b, modulus):
    if b >= 0:
        return pow(a % modulus, b, modulus)
    return {1: 1, -1: -1 if b % 2 else 1, 0: -1}.get(a, 0)


def cases():
    for element in ["i8", "i16", "i32", "i64"]:
        a, b = values.all_pairs("i8") if element == "i8" else (values.integers(element, 4096, 1), values.integers(element, 4096, 2))
        if element != "i8":
            b[::2] = np.arange(b[::2].size) % 70 - 3
            a[::5] = np.arange(a[::5].size) % 5 - 2
        reference = references.on_integers(lambda x, y, m=1 << elements.width(element): power(x, y, m), element, True)
        line = f"%r = math.ipowi %a, %b : TILE({element})"
        yield kernels.elementwise(element, line, {"a": a, "b": b}, {"r": element}, reference, gpu=mpfr.NO_PATTERN)
