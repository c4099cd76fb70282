"""arith.extf: a wider float of the same value."""

from support import casts, elements

ALL = elements.FLOAT8 + elements.FLOATS
NO_F8 = "Triton extends f8 by tt.fp_to_fp"


def extended(array, to):
    return array.astype(elements.DTYPE[to])


def widens(a, b):
    return elements.width(a) < elements.width(b)


def cases():
    op = "arith.extf %a : FROM to TO"
    yield from casts.cases(op, ALL, ALL, extended, widens, lambda a, b: NO_F8 if a in elements.FLOAT8 else True)
    yield from casts.ranks(op, "f16", "f32", extended)
