"""arith.divsi: a / b toward zero; by 0 all ones (S-20); the most negative number by -1 is itself."""

from support import integer_binary


def divide(a, b):
    if b == 0:
        return -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def cases():
    yield from integer_binary.cases("arith.divsi", divide, is_signed=True, divides=True)
