"""math.fma: a * b + c, rounded once: against fractions in f32 and f64, and float64 where that is exact."""

from fractions import Fraction

import numpy as np
from support import elements, kernels, values

BIG = 1 << 1100


def exact(a, b, c, element):
    """One element by fractions; special values by float64's own rules."""
    if not all(np.isfinite([a, b, c])) or a == 0 or b == 0:
        return a * b + c
    value = Fraction(a) * Fraction(b) + Fraction(c)
    if value == 0:
        return 0.0 if c != 0 or (a * b > 0) != (np.signbit(c)) else a * b + c
    return value


def rounded(value, element):
    """A fraction rounded once to f16, bf16, f32 or f64, as float64."""
    if not isinstance(value, Fraction):
        return value
    form = elements.FORMAT[element]
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, form.lowest_exponent) - form.precision + 1)
    near = round(value / unit) * unit
    if abs(near) > Fraction(form.largest):
        return np.copysign(np.inf, 1 if near > 0 else -1)
    return np.copysign(float(near), 1 if value > 0 else -1)


def fused(element):
    def reference(*arrays):
        wide = [a.astype(np.float64) for a in arrays]
        with np.errstate(all="ignore"):
            numbers = [rounded(exact(float(x), float(y), float(z), element), element) for x, y, z in zip(*wide)]
            return np.array(numbers, np.float64).astype(elements.DTYPE[element])

    return reference


def cancelling(element, count):
    """c close to -a b, where two roundings would show."""
    a, b = values.moderate_floats(element, count, 21), values.moderate_floats(element, count, 22)
    with np.errstate(all="ignore"):
        return a, b, (-(a.astype(np.float64) * b.astype(np.float64))).astype(elements.DTYPE[element])


#: What `--fp-fusion on` makes one rounding of; Triton's default build does the same (S-78).
CONTRACTED = {
    "sum": (["%m = arith.mulf %a, %b : T", "%r = arith.addf %m, %c : T"], lambda a, b, c: (a, b, c)),
    "sum turned": (["%m = arith.mulf %a, %b : T", "%r = arith.addf %c, %m : T"], lambda a, b, c: (a, b, c)),
    "difference": (["%m = arith.mulf %a, %b : T", "%r = arith.subf %m, %c : T"], lambda a, b, c: (a, b, -c)),
    "difference turned": (["%m = arith.mulf %a, %b : T", "%r = arith.subf %c, %m : T"], lambda a, b, c: (-a, b, c)),
}


def contracted(element):
    a, b, c = cancelling(element, 256)
    for label, (lines, arrange) in CONTRACTED.items():
        text = [line[:-1] + f"TILE({element})" if line.endswith(" T") else line for line in lines]
        given = {"a": a, "b": b, "c": -c if label.startswith("difference") else c}
        one = lambda *arrays, arrange=arrange: fused(element)(*arrange(*arrays))  # noqa: E731
        two = lambda *arrays, arrange=arrange: twice_rounded(element, *arrange(*arrays))  # noqa: E731
        yield kernels.elementwise(f"{element}_{label}_contracted", text, given, {"r": element}, one, options=["--fp-fusion", "on"], gpu="record.py builds without contraction")
        yield kernels.elementwise(f"{element}_{label}_as_written", text, given, {"r": element}, two)


def twice_rounded(element, a, b, c):
    dtype = elements.DTYPE[element]
    with np.errstate(all="ignore"):
        if element == "f64":
            return a * b + c
        product = (a.astype(np.float64) * b.astype(np.float64)).astype(dtype)
        return (product.astype(np.float64) + c.astype(np.float64)).astype(dtype)


def cases():
    for element in elements.FLOATS:
        yield from contracted(element)
        gpu = True
        line = f"%r = math.fma %a, %b, %c : TILE({element})"
        wild = [values.floats(element, 2048, 31 + i) for i in range(3)]
        wild = [np.roll(array, 5 * i) for i, array in enumerate(wild)]
        for label, arrays in {"wild": wild, "cancelling": cancelling(element, 2048)}.items():
            named = dict(zip("abc", arrays))
            yield kernels.elementwise(f"{element}_{label}", line, named, {"r": element}, fused(element), gpu=gpu)
