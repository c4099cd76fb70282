"""arith.minui: the smaller of two unsigned numbers."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.minui", min, is_signed=False)
