"""arith.ceildivsi: a / b of signed numbers, toward plus infinity; by 0 as S-20 for the division in it."""

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.ceildivsi", lambda a, b: -(-a // b) if b else -1, is_signed=True, divides=True)
