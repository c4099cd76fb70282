"""arith.divui: a / b of unsigned numbers; by 0 all ones (S-20)."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.divui", lambda a, b: a // b if b else -1, is_signed=False, divides=True)
