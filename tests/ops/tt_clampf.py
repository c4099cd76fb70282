"""tt.clampf: min(max(x, low), high). propagateNan = none drops a NaN (of x: gives low), all keeps it."""

import itertools

import numpy as np
from support import elements, extremes, float_binary, kernels, references, values

COUNT = 4096


def none(x, low, high):
    return extremes.smallest_number(extremes.largest_number(x, low), high)


def all_of(x, low, high):
    return extremes.smallest_or_nan(extremes.largest_or_nan(x, low), high)


def operands(element: str):
    """All triples of a few special values, then random ones; low <= high unless one is NaN, as Triton asks."""
    special = np.unique(values.special_floats(element)[::2])[:10]
    special = np.concatenate([special, values.special_floats(element)[-2:], values.special_floats(element)[:2]])
    triples = np.array(list(itertools.product(range(len(special)), repeat=3)))[:COUNT]
    rest = [values.floats(element, COUNT, seed) for seed in (1, 2, 3)]
    x, low, high = (np.concatenate([special[triples[:, i]], rest[i]])[:COUNT] for i in range(3))
    wrong = (low > high) | ((low == high) & np.signbit(high))  # -0 is below +0
    return x, np.where(wrong, high, low), np.where(wrong, low, high)


def by_magnitude(limit):
    """Between -limit and limit, as sm_90 does it when Triton sees both: the magnitude is cut, a NaN's too (S-77)."""

    def reference(x):
        wide = np.where(np.isnan(x), np.inf, np.abs(x.astype(np.float64)))
        sign = np.where(np.signbit(x), -1.0, 1.0) * (-1.0 if limit < 0 else 1.0)
        return (sign * np.minimum(wide, abs(limit))).astype(x.dtype)

    return reference


def symmetric():
    for element in ("f16", "f32"):
        x = np.concatenate([values.special_floats(element), values.floats(element, 1000, 7)])[:1024]
        for limit in (1.5, 448.0):
            lines = [f"%low = arith.constant dense<{-limit}> : TILE({element})", f"%high = arith.constant dense<{limit}> : TILE({element})"]
            line = f"%r = tt.clampf %x, %low, %high, propagateNan = none : TILE({element})"
            yield kernels.elementwise(f"{element} between constants {limit}", [*lines, line], {"x": x}, {"r": element}, by_magnitude(limit))
        high = values.moderate_floats(element, 1024, 8)
        lines = [f"%zero = arith.constant dense<0.0> : TILE({element})", f"%low = arith.subf %zero, %high : TILE({element})"]
        line = f"%r = tt.clampf %x, %low, %high, propagateNan = none : TILE({element})"
        yield kernels.elementwise(f"{element} between -y and y", [*lines, line], {"x": x, "high": high}, {"r": element}, by_magnitude_of_each)
        older = kernels.elementwise(f"{element} between -y and y on sm_80", [*lines, line], {"x": x, "high": high}, {"r": element}, lambda x, high: none(x, -high, high))
        older.target = "sm_80"
        yield older


def by_magnitude_of_each(x, high):
    wide = np.where(np.isnan(x), np.inf, np.abs(x.astype(np.float64)))
    sign = np.where(np.signbit(x) != np.signbit(high), -1.0, 1.0)
    return (sign * np.minimum(wide, np.abs(high.astype(np.float64)))).astype(x.dtype)


def cases():
    for element in elements.FLOATS + elements.FLOAT8:
        x, low, high = operands(element)
        for word, reference in (("none", none), ("all", all_of)):
            if element in elements.FLOAT8:  # in f32, rounded once: infinities saturate
                reference = references.once_rounded(reference, element, "saturate")
            line = f"%r = tt.clampf %x, %low, %high, propagateNan = {word} : TILE({element})"
            gpu = float_binary.NO_F8 if element in elements.FLOAT8 else True
            given = {"x": x, "low": low, "high": high}
            yield kernels.elementwise(f"{element} {word}", line, given, {"r": element}, reference, gpu=gpu)
    yield from symmetric()
    for shape in [(), (8, 16), (2, 4, 2, 4, 4)]:
        x, low, high = (array[: 64 if shape == () else 256] for array in operands("f32"))
        line = "%r = tt.clampf %x, %low, %high, propagateNan = all : TILE(f32)"
        yield kernels.elementwise(f"f32 rank {len(shape)}", line, {"x": x, "low": low, "high": high}, {"r": "f32"}, all_of, shape)
