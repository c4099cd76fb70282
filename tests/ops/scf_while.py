"""scf.while: loops of unknown length, none at all, other types out than in, no values."""

from support import loops


def cases():
    yield loops.collatz()
    yield loops.other_types()
    yield loops.swapped()
    yield loops.for_its_stores()
