"""arith.flush_denormals: subnormal numbers become zeros of their sign; every value of the types up to 16 bits."""

import numpy as np
from support import elements, kernels, values
from support.float_binary import SHAPES

NO_GPU = "no Triton lowers it, and those before 3.8 do not know it"


def flushed(a):
    form = elements.FORMAT[elements.name_of(a.dtype)]
    wide = a.astype(np.float64)
    is_small = np.abs(wide) < 2.0 ** float(form.lowest_exponent)
    signs = np.signbit(wide) & form.has_negative_zero
    zeros = np.where(signs, -0.0, 0.0).astype(a.dtype)
    return np.where(is_small, elements.bits(zeros), elements.bits(a)).astype(elements.bits(a).dtype).view(a.dtype)


def cases():
    for element in elements.FLOATS + elements.FLOAT8:
        a = values.all_bits(element) if elements.width(element) <= 16 else values.floats(element, 4096)
        line = f"%r = arith.flush_denormals %a : TILE({element})"
        yield kernels.elementwise(element, line, {"a": a}, {"r": element}, flushed, gpu=NO_GPU)
    for label, shape in SHAPES.items():
        a = values.floats("f16", 64 if shape == () else 256)
        line = "%r = arith.flush_denormals %a : TILE(f16)"
        yield kernels.elementwise(f"f16_{label}", line, {"a": a}, {"r": "f16"}, flushed, shape, gpu=NO_GPU)
