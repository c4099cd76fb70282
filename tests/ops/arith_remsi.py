"""arith.remsi: what divsi leaves, with the sign of a; a % 0 is a (S-20)."""

from support import integer_binary


def remainder(a, b):
    if b == 0:
        return a
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


def cases():
    yield from integer_binary.cases("arith.remsi", remainder, is_signed=True, divides=True)
