"""tt.approx_divf (3.9): a / b, which a GPU may compute as a times an approximate 1 / b; here rounded once. f32 only."""

import numpy as np
from support import float_binary, references, values


def cases():
    for element in ("f32",):
        a, b = values.pairs(element, 4096)
        line = f"%r = tt.approx_divf %a, %b : TILE({element})"
        reference = references.once_rounded(np.divide, element)
        yield float_binary.case(element, line, element, a, b, reference, gpu="Triton 3.6 has no such op")
