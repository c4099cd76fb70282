"""arith.minsi: the smaller of two signed numbers (of i1, true is -1)."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.minsi", min, is_signed=True)
