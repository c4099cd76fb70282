"""arith.maxnumf: the larger number; the other one if one is NaN; -0 is below +0."""

from support import extremes, float_binary


def cases():
    yield from float_binary.cases("arith.maxnumf", extremes.largest_number)
