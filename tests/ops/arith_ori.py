"""arith.ori: a | b, bit by bit."""

import operator

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.ori", operator.or_, is_signed=False)
