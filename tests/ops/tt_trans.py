"""tt.trans: result[i0, i1, ..] = source[..] with dimension d of the result being dimension order[d] of the source."""

import itertools

from support import tiles


def apply(kernel: tiles.Kernel, x: tiles.Tile):
    orders = list(itertools.permutations(range(len(x.shape))))
    for order in orders[1:: max(1, len(orders) // 6)] or orders:
        kernel.output(kernel.trans(x, list(order)))


def cases():
    yield from tiles.over_types(apply, [(16,), (4, 16), (1, 16), (8, 1), (2, 4, 8), (2, 1, 4, 8), (2, 4, 1, 2, 4)])
