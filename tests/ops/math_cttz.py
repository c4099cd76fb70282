"""math.cttz: the number of zero bits below the lowest one bit; the width for 0."""

from support import elements, kernels, mpfr, references, values


def cases():
    for element in elements.INTEGERS:
        width = elements.width(element)
        a = values.all_bits(element) if width <= 16 else values.integers(element, 4096)
        reference = references.on_integers(lambda x, width=width: (x & -x).bit_length() - 1 if x else width, element, False)
        line = f"%r = math.cttz %a : TILE({element})"
        yield kernels.elementwise(element, line, {"a": a}, {"r": element}, reference, gpu=mpfr.NO_PATTERN)
