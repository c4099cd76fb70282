"""math.absf: the sign bit cleared, of NaN too; every value of the types up to 16 bits."""

from support import elements, kernels, values
from support.float_binary import NO_F8, SHAPES


def magnitude(a):
    raw = elements.bits(a)
    cleared = raw & raw.dtype.type((1 << (raw.dtype.itemsize * 8 - 1)) - 1)
    if elements.name_of(a.dtype).endswith("FNUZ"):
        cleared[elements.is_nan(a)] = 0x80
    return cleared.view(a.dtype)


def cases():
    for element in elements.FLOATS + elements.FLOAT8:
        a = values.all_bits(element) if elements.width(element) <= 16 else values.floats(element, 4096)
        gpu = NO_F8 if element in elements.FLOAT8 else True
        yield kernels.elementwise(element, f"%r = math.absf %a : TILE({element})", {"a": a}, {"r": element}, magnitude, gpu=gpu)
    for label, shape in SHAPES.items():
        a = values.floats("f16", 64 if shape == () else 256)
        yield kernels.elementwise(f"f16_{label}", "%r = math.absf %a : TILE(f16)", {"a": a}, {"r": "f16"}, magnitude, shape)
