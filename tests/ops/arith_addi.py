"""arith.addi: a + b modulo 2^width."""

import operator

from support import integer_binary


def cases():
    yield from integer_binary.cases("arith.addi", operator.add, is_signed=False)
