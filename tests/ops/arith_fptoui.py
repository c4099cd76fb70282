"""arith.fptoui: toward zero to an unsigned integer, with the GPU's answers where it does not fit."""

from support import float_to_integer


def cases():
    yield from float_to_integer.cases("arith.fptoui", False)
