"""tt.broadcast: dimensions of extent 1 grow, every index there gives the same element."""

from support import tiles

GROWN = {(1,): [(1,), (16,)], (1, 1): [(4, 8), (1, 8), (8, 1)], (1, 16): [(4, 16)], (8, 1): [(8, 8)], (2, 1, 8): [(2, 4, 8)], (1, 4, 1, 2): [(2, 4, 2, 2)]}
GROWN |= {(1, 2, 1, 2, 1): [(2, 2, 2, 2, 2), (4, 2, 1, 2, 4)]}


def apply(kernel: tiles.Kernel, x: tiles.Tile):
    for shape in GROWN[x.shape]:
        text = f"tt.broadcast {x.name} : {x.type()} -> {tiles.type_text(x.element, shape)}"
        kernel.output(kernel.add(text, x.element, tiles.np.broadcast_to(x.values, shape)))


def cases():
    yield from tiles.over_types(apply, list(GROWN))
