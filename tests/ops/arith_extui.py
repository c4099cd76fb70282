"""arith.extui: a wider integer of the same unsigned value."""

from support import casts, elements, references


def extended(array, to):
    return references.wrapped(references.unsigned(array), to)


def widens(a, b):
    return elements.width(a) < elements.width(b)


def cases():
    yield from casts.cases("arith.extui %a : FROM to TO", elements.INTEGERS, elements.INTEGERS, extended, widens)
    yield from casts.ranks("arith.extui %a : FROM to TO", "i8", "i64", extended)
