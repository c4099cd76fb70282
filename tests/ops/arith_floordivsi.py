"""arith.floordivsi: a / b of signed numbers, toward minus infinity."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.floordivsi", lambda a, b: a // b if b else -1, is_signed=True, divides=True)
