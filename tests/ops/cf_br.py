"""cf.br: to a block with and without arguments, forwards and back, with values that change places."""

from support import branches


def cases():
    yield branches.diamond()
    yield branches.fibonacci()
    yield branches.swapped_tiles()


