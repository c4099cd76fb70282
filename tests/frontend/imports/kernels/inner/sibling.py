from triton import jit

from . import deep


@jit
def negate(value):
    return -value
