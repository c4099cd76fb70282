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
    for shape in [(), (8, 16), (2, 4, 2, 4, 4)]:
        x, low, high = (array[: 64 if shape == () else 256] for array in operands("f32"))
        line = "%r = tt.clampf %x, %low, %high, propagateNan = all : TILE(f32)"
        yield kernels.elementwise(f"f32 rank {len(shape)}", line, {"x": x, "low": low, "high": high}, {"r": "f32"}, all_of, shape)
