"""arith.xori: a ^ b, bit by bit."""

import operator

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.xori", operator.xor, is_signed=False)
