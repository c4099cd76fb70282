"""arith.shrsi: a >> b, the sign moves in; by the width or more gives the sign (S-21); of an i64
amount the low 32 bits count."""

from support import integer_binary


def shift(a, b, width):
    return a >> min(b & ((1 << min(width, 32)) - 1), width)


def cases():
    yield from integer_binary.cases("arith.shrsi", shift, is_signed=True, with_width=True)
