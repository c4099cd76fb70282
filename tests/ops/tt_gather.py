"""tt.gather: result[.., i, ..] = source[.., index[.., i, ..], ..] along the axis."""

import numpy as np
from support import tiles, values

SHAPES = [((16,), 0, 32), ((4, 8), 1, 8), ((8, 4), 0, 2), ((2, 4, 8), 1, 4), ((2, 2, 4, 4), 3, 8), ((1, 8), 1, 1)]


def add(kernel: tiles.Kernel, source: tiles.Tile, index: tiles.Tile, axis: int):
    result = np.take_along_axis(source.values, index.values.astype(np.int64), axis)
    text = f"tt.gather {source.name}[{index.name}] {{axis = {axis} : i32}} : ({source.type()}, {index.type()}) -> "
    kernel.output(kernel.add(text + tiles.type_text(source.element, result.shape), source.element, result))


def index_of(kernel: tiles.Kernel, shape, axis, taken, element="i32") -> tiles.Tile:
    result = tuple(taken if d == axis else extent for d, extent in enumerate(shape))
    kernel.seed += 1
    array = (values.random_bits(tiles.count_of(result), kernel.seed) % np.uint64(shape[axis])).astype(tiles.dtype_of(element))
    return kernel.reshape(kernel.loaded(array, element), result)


def cases():
    for number, element in enumerate(tiles.ALL):
        for place, (shape, axis, taken) in enumerate(SHAPES):
            kernel = tiles.Kernel(1000 * number + 10 * place)
            for form in tiles.forms(element, shape):
                add(kernel, kernel.make(form, element, shape), index_of(kernel, shape, axis, taken), axis)
            yield kernel.case(f"{element} {tiles.shape_text(shape)} along {axis}", gpu=tiles.NO_GPU.get(element, True))
    for element in ("i8", "i16", "i64"):
        kernel = tiles.Kernel(77)
        add(kernel, kernel.dense("f32", (4, 16)), index_of(kernel, (4, 16), 1, 16, element), 1)
        yield kernel.case(f"index {element}")
    kernel = tiles.Kernel(78)  # an index that is a range
    add(kernel, kernel.dense("f32", (16,)), kernel.range(8, 4), 0)
    add(kernel, kernel.range(16, 100), kernel.range(8, 8), 0)
    yield kernel.case("affine index")
    yield outside()


def outside():
    """Nothing says what an index outside gives; an H200 was seen to take it modulo the extent, and so does Lockstep."""
    kernel = tiles.Kernel(79)
    source, raw = kernel.dense("i32", (8,)), np.array([8, -1, 100, 7, -8, -9, 2**31 - 1, -(2**31)], dtype=np.int32)
    index = kernel.loaded(raw, "i32")
    wrapped = tiles.Tile(index.name, "i32", raw % 8)
    add(kernel, source, wrapped, 0)
    return kernel.case("index outside")
