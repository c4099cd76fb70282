"""tt.descriptor_gather: rows of a tensor by number, from one column on; rows and columns outside are padding (S-63)."""

import numpy as np
from support import blocks, elements
from support.blocks import TYPES, Text
from support.case import Case, In, Out
from support.kernels import module, tile

SM_100 = "Triton 3.6 compiles it from sm_100 on"
ROWS = [0, 5, 6, 7, -1, 100, 2, 2]
COLUMNS = [0, 16, -16, 48]
NARROW = [element for element in TYPES if elements.dtype_of(element).itemsize <= 4]  # what Triton admits


def gathers(element, index="i32", padding="", rows=ROWS, width=32, op="tt.descriptor_gather"):
    shape, strides = [7, 40], [48, 1]
    fill = np.nan if padding else 0
    text, count = Text(), len(rows) * width
    made, kind = blocks.descriptor(text, "%x", element, shape, strides, [1, width], padding)
    numbers = text.get("%rows", index, (len(rows),), 0)
    result = tile(element, (len(rows), width))
    for place, column in enumerate(COLUMNS):
        value = text.new(f"{op} {made}[{numbers}, {text.constant('i32', column)}] : ({kind}, {tile(index, (len(rows),))}, i32) -> {result}")
        text.put("%o", element, (len(rows), width), place * count, value)

    def reference(inputs):
        out = [blocks.read(inputs[0], shape, strides, [1, width], [row, column], fill) for column in COLUMNS for row in inputs[1]]
        return [np.concatenate(out).reshape(-1)]

    parameters = [f"%x: !tt.ptr<{element}>", f"%rows: !tt.ptr<{index}>", f"%o: !tt.ptr<{element}>"]
    arguments = [In(blocks.data(element, blocks.extent(shape, strides), 3)), In(np.array(rows, elements.dtype_of(index)))]
    return module(parameters, text.lines), [*arguments, Out((count * len(COLUMNS),), element)], reference


def case(name, *args, **more):
    text, arguments, reference = gathers(*args, **more)
    return Case(name, text, arguments, reference=reference, gpu=SM_100)


def refused(name, wants, **more):
    text, arguments, _ = gathers("f32", **more)
    return Case(name, text, arguments, exit_code=2, output=lambda printed: None if wants in printed else printed, gpu=SM_100)


def cases():
    for element in NARROW:
        yield case(element, element)
        if elements.dtype_of(element).kind != "i" and elements.dtype_of(element).itemsize > 1:
            yield case(f"{element} nan", element, padding=" {padding = 2 : i32}")
    yield case("f32 64 rows", "f32", rows=[(7 * n) % 9 - 1 for n in range(64)], width=16)
    yield refused("four rows", "at least 8 rows", rows=[0, 1, 2, 3])
    yield refused("rows of 16 bytes", "at least 8 columns", width=4)
