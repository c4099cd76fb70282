"""arith.ceildivui: a / b of unsigned numbers, rounded up."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.ceildivui", lambda a, b: -(-a // b) if b else -1, is_signed=False, divides=True)
