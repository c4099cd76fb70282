"""tt.split: the elements with last index 0 and those with last index 1."""

from support import tiles


def apply(kernel: tiles.Kernel, x: tiles.Tile):
    left, right = kernel.name("left"), kernel.name("right")
    kernel.lines.append(f"{left}, {right} = tt.split {x.name} : {x.type()} -> {tiles.type_text(x.element, x.shape[:-1])}")
    kernel.output(tiles.Tile(left, x.element, x.values[..., 0]))
    kernel.output(tiles.Tile(right, x.element, x.values[..., 1]))


def cases():
    yield from tiles.over_types(apply, [(1, 2), (32, 2), (4, 8, 2), (8, 1, 2), (2, 1, 4, 2), (2, 2, 2, 4, 2)])
