"""arith.negf: the sign bit flipped, of NaN too; every value of the types up to 16 bits."""

import numpy as np
from support import elements, kernels, values
from support.float_binary import NO_F8, SHAPES


def negated(a):
    return (-a.astype(np.float64)).astype(a.dtype) if elements.name_of(a.dtype).endswith("FNUZ") else flipped(a)


def flipped(a):
    raw = elements.bits(a)
    return (raw ^ raw.dtype.type(1 << (raw.dtype.itemsize * 8 - 1))).view(a.dtype)


def cases():
    for element in elements.FLOATS + elements.FLOAT8:
        a = values.all_bits(element) if elements.width(element) <= 16 else values.floats(element, 4096)
        gpu = NO_F8 if element in elements.FLOAT8 else True
        yield kernels.elementwise(element, f"%r = arith.negf %a : TILE({element})", {"a": a}, {"r": element}, negated, gpu=gpu)
    for label, shape in SHAPES.items():
        a = values.floats("f16", 64 if shape == () else 256)
        yield kernels.elementwise(f"f16_{label}", "%r = arith.negf %a : TILE(f16)", {"a": a}, {"r": "f16"}, negated, shape)
