"""tt.descriptor_scatter: rows of a tile go to rows of a tensor by number; what lies outside is dropped (S-63)."""

import numpy as np
from support import blocks, elements
from support.blocks import Text
from support.case import Case, In, InOut
from support.kernels import module, tile
from tt_descriptor_gather import NARROW, SM_100

ROWS = [0, 5, 6, 7, -1, 100, 2, 3]
COLUMNS = [0, 16, -16, 48]


def scatters(element, index="i32", rows=ROWS, width=32, op="tt.descriptor_scatter"):
    shape, strides = [7, 40], [48, 1]
    text, count = Text(), len(rows) * width
    made, kind = blocks.descriptor(text, "%x", element, shape, strides, [1, width])
    numbers, source = text.get("%rows", index, (len(rows),), 0), (len(rows), width)
    for place, column in enumerate(COLUMNS):
        value = text.get("%v", element, source, place * count)
        text.do(f"{op} {made}[{numbers}, {text.constant('i32', column)}], {value} : {kind}, {tile(index, (len(rows),))}, i32, {tile(element, source)}")

    def reference(inputs):
        memory, numbers, values = inputs
        for place, column in enumerate(COLUMNS):
            for row, value in zip(numbers, values[place * count : (place + 1) * count].reshape(source)):
                blocks.write(memory, shape, strides, value.reshape(1, width), [row, column])
        return [memory]

    parameters = [f"%x: !tt.ptr<{element}>", f"%rows: !tt.ptr<{index}>", f"%v: !tt.ptr<{element}>"]
    arguments = [InOut(blocks.data(element, blocks.extent(shape, strides), 3)), In(np.array(rows, elements.dtype_of(index)))]
    return module(parameters, text.lines), [*arguments, In(blocks.data(element, count * len(COLUMNS), 4))], reference


def case(name, *args, **more):
    text, arguments, reference = scatters(*args, **more)
    return Case(name, text, arguments, reference=reference, gpu=SM_100)


def cases():
    for element in NARROW:
        yield case(element, element)
    yield case("f32 one row often", "f32", rows=[3] * 8)
