"""tt.precise_sqrt: the square root, rounded once; NaN below zero."""

import numpy as np
from support import elements, float_binary, kernels, references, values


def cases():
    for element in elements.FLOATS + elements.FLOAT8:
        array = values.all_bits(element) if elements.width(element) <= 16 else values.floats(element, 4096)
        gpu = True if element in ("f32", "f64") else float_binary.NO_F8 if element in elements.FLOAT8 else "Triton's front end computes it in f32"
        reference = references.once_rounded(np.sqrt, element, "saturate" if element in elements.FLOAT8 else "infinity")
        yield kernels.elementwise(element, f"%r = tt.precise_sqrt %a : TILE({element})", {"a": array}, {"r": element}, reference, gpu=gpu)
    for shape in [(), (8, 16), (2, 4, 2, 4, 4)]:
        array = values.floats("f32", 64 if shape == () else 256, 5)
        reference = references.once_rounded(np.sqrt, "f32")
        yield kernels.elementwise(f"f32 rank {len(shape)}", "%r = tt.precise_sqrt %a : TILE(f32)", {"a": array}, {"r": "f32"}, reference, shape)
