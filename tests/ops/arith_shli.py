"""arith.shli: a << b; by the width or more gives 0 (S-21)."""

from support import integer_binary


def shift(a, b, width):
    return a << b if b < width else 0


def cases():
    yield from integer_binary.cases("arith.shli", shift, is_signed=False, with_width=True)
