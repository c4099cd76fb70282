"""tt.join: the two tiles alternate along a new last dimension of extent 2."""

import numpy as np
from support import tiles


def cases():
    for number, element in enumerate(tiles.ALL):
        for place, shape in enumerate([(1,), (32,), (4, 8), (8, 1), (2, 4, 2), (2, 1, 4, 2)]):
            kernel = tiles.Kernel(1000 * number + 10 * place)
            made = [kernel.make(form, element, shape) for form in tiles.forms(element, shape)]
            for a, b in zip(made, [*made[1:], made[0]]):
                result = np.stack([a.values, b.values], -1)
                text = f"tt.join {a.name}, {b.name} : {a.type()} -> {tiles.type_text(element, result.shape)}"
                kernel.output(kernel.add(text, element, result))
            yield kernel.case(f"{element} {tiles.shape_text(shape)}", gpu=tiles.NO_GPU.get(element, True))
