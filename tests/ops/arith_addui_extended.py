"""arith.addui_extended: a + b and the carry out of it."""

from support import integer_pair


def both(a, b, width):
    return a + b, (a + b) >> width


def cases():
    yield from integer_pair.cases("arith.addui_extended", both, False, "i1")
