"""arith.trunci: the low bits."""

from support import casts, elements, references


def cut(array, to):
    return references.wrapped(references.unsigned(array), to)


def narrows(a, b):
    return elements.width(a) > elements.width(b)


def cases():
    yield from casts.cases("arith.trunci %a : FROM to TO", elements.INTEGERS, elements.INTEGERS, cut, narrows)
    yield from casts.ranks("arith.trunci %a : FROM to TO", "i64", "i8", cut)
