"""scf.yield: the values of a region of if, for and while; the same value twice, and values that change places."""

import scf_for
import scf_if
from support import loops


def cases():
    yield scf_for.swapping()
    yield scf_for.duplicated()
    yield scf_if.tiles()
    yield loops.swapped()
