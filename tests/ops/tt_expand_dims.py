"""tt.expand_dims: a new dimension of extent 1 before `axis`."""

import numpy as np
from support import tiles


def apply(kernel: tiles.Kernel, x: tiles.Tile):
    for axis in range(len(x.shape) + 1):
        result = np.expand_dims(x.values, axis)
        text = f"tt.expand_dims {x.name} {{axis = {axis} : i32}} : {x.type()} -> {tiles.type_text(x.element, result.shape)}"
        kernel.output(kernel.add(text, x.element, result))


def cases():
    yield from tiles.over_types(apply, [(1,), (32,), (4, 8), (1, 8), (2, 4, 2), (2, 1, 4, 2)])
