"""cf.cond_br: both sides to one block with other values, loops with two exits, blocks that nothing reaches."""

from support import branches


def cases():
    yield branches.diamond()
    yield branches.one_target()
    yield branches.two_exits()
    yield branches.fibonacci()
    yield branches.early_return()
