"""math.absi: |a|; the most negative number stays itself."""

import numpy as np
from support import elements, kernels, references, values
from support.float_binary import SHAPES


def cases():
    for element in elements.INTEGERS:
        a = values.all_bits(element) if elements.width(element) <= 16 else values.integers(element, 4096)
        line = f"%r = math.absi %a : TILE({element})"
        yield kernels.elementwise(element, line, {"a": a}, {"r": element}, references.on_integers(abs, element, True))
    for label, shape in SHAPES.items():
        a = values.integers("i64", 64 if shape == () else 256)
        reference = references.on_integers(abs, "i64", True)
        yield kernels.elementwise(f"i64_{label}", "%r = math.absi %a : TILE(i64)", {"a": a}, {"r": "i64"}, reference, shape)
    a = values.integers("i32", 64)
    lines = ["%r = math.absi %range : TILE(i32)", "%s = arith.subi %r, %offset : TILE(i32)", "%t = math.absi %s : TILE(i32)"]

    def reference(x):
        offset = np.arange(x.size, dtype=np.int32)
        return [offset % 64, np.abs(offset % 64 - offset).astype(np.int32)]

    yield kernels.elementwise("formulas", lines, {"a": np.tile(a, 4)}, {"r": "i32", "t": "i32"}, reference, (64,))
