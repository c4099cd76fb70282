"""scf.condition: what it passes on goes to the second region while the condition holds, and out of the loop after."""

from support import loops


def cases():
    yield loops.other_types()
    yield loops.swapped()
