"""arith.mulsi_extended: the low and the high half of the signed product."""

from support import integer_pair


def both(a, b, width):
    return a * b, (a * b) >> width


def cases():
    yield from integer_pair.cases("arith.mulsi_extended", both, True)
