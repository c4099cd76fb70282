"""arith.andi: a & b, bit by bit."""

import operator

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.andi", operator.and_, is_signed=False)
