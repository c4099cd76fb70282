"""arith.maxui: the larger of two unsigned numbers."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.maxui", max, is_signed=False)
