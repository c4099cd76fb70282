"""arith.minimumf: the smaller number; NaN if either is NaN; -0 is below +0."""

from support import extremes, float_binary


def cases():
    yield from float_binary.cases("arith.minimumf", extremes.smallest_or_nan)
