"""tt.unsplat: the element of a tile that has one."""

from support import tiles


def apply(kernel: tiles.Kernel, x: tiles.Tile):
    kernel.output(kernel.add(f"tt.unsplat {x.name} : {x.type()}", x.element, x.values.reshape(())))


def cases():
    yield from tiles.over_types(apply, [(1,), (1, 1), (1, 1, 1, 1, 1)])
