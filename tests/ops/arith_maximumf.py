"""arith.maximumf: the larger number; NaN if either is NaN; -0 is below +0."""

from support import extremes, float_binary


def cases():
    yield from float_binary.cases("arith.maximumf", extremes.largest_or_nan)
