"""tt.cat: all elements of two tiles, in an order that the compiler chooses; Lockstep puts one after the other."""

import numpy as np
from support import elements, tiles


def in_some_order(outputs, expected, inputs):
    """The same elements, however often each."""
    for place, (got, wanted) in enumerate(zip(outputs, expected)):
        if not np.array_equal(np.sort(elements.bits(got)), np.sort(elements.bits(wanted))):
            return f"output {place} does not hold the elements of both tiles"
    return None


def cases():
    for number, element in enumerate(tiles.ALL):
        for place, shape in enumerate([(1,), (32,), (256,)]):
            kernel = tiles.Kernel(1000 * number + 10 * place)
            made = [kernel.make(form, element, shape) for form in tiles.forms(element, shape)]
            for a, b in zip(made, [*made[1:], made[0]]):
                result = np.concatenate([a.values, b.values])
                text = f"tt.cat {a.name}, {b.name} : {a.type()} -> {tiles.type_text(element, result.shape)}"
                kernel.output(kernel.add(text, element, result))
            yield kernel.case(f"{element} {tiles.shape_text(shape)}", gpu=tiles.NO_GPU.get(element, True), gpu_bound=in_some_order)
