"""arith.extsi: a wider integer of the same signed value."""

from support import casts, elements, references


def extended(array, to):
    return references.wrapped(references.signed(array), to)


def widens(a, b):
    return elements.width(a) < elements.width(b)


def cases():
    yield from casts.cases("arith.extsi %a : FROM to TO", elements.INTEGERS, elements.INTEGERS, extended, widens)
    yield from casts.ranks("arith.extsi %a : FROM to TO", "i8", "i64", extended)
