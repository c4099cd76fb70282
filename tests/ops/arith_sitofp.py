"""arith.sitofp: the nearest float of a signed integer, ties to even."""

from support import integer_to_float, references


def cases():
    yield from integer_to_float.cases("arith.sitofp", references.signed)
