"""math.ctpop: the number of one bits."""

from support import elements, kernels, mpfr, references, values


def cases():
    for element in elements.INTEGERS:
        width = elements.width(element)
        a = values.all_bits(element) if width <= 16 else values.integers(element, 4096)
        reference = references.on_integers(lambda x, width=width: bin(x).count("1"), element, False)
        line = f"%r = math.ctpop %a : TILE({element})"
        yield kernels.elementwise(element, line, {"a": a}, {"r": element}, reference, gpu=mpfr.NO_PATTERN)
