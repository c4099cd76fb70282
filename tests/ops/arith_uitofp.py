"""arith.uitofp: the nearest float of an unsigned integer, ties to even."""

from support import integer_to_float, references


def cases():
    yield from integer_to_float.cases("arith.uitofp", references.unsigned)
