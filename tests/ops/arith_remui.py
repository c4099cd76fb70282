"""arith.remui: a mod b of unsigned numbers; a % 0 is a (S-20)."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.remui", lambda a, b: a % b if b else a, is_signed=False, divides=True)
