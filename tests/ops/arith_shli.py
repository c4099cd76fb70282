"""arith.shli: a << b; by the width or more gives 0; an i1 stays as it is, and of an i64
amount the low 32 bits count (S-21)."""

from support import integer_binary


def shift(a, b, width):
    if width == 1:
        return a
    amount = b & 0xFFFFFFFF
    return a << amount if amount < width else 0


def cases():
    yield from integer_binary.cases("arith.shli", shift, is_signed=False, with_width=True)
