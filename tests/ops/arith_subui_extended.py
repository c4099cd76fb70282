"""arith.subui_extended: a - b and whether it borrowed."""

from support import integer_pair


def both(a, b, width):
    return a - b, int(a < b)


def cases():
    yield from integer_pair.cases("arith.subui_extended", both, False, "i1")
