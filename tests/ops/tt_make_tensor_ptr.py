"""tt.make_tensor_ptr, and tt.load and tt.store through block pointers: boundaryCheck looks at the named dimensions only, at both ends; the
others are plain accesses (S-60)."""

import numpy as np
from support import blocks, elements
from support.blocks import TYPES, Text
from support.case import Case, In, InOut, Out
from support.kernels import module, tile

NO_PASSES = "block pointers are rewritten by a pass that the recorder does not run"


def block_pointer(text: Text, base: str, shape, strides, block, start, element, order=None):
    kind = f"<{tile(element, block)}>"
    order = order or range(len(block))[::-1]
    made = text.new(
        f"tt.make_tensor_ptr {base}, [{text.constants('i64', shape)}], [{text.constants('i64', strides)}], "
        f"[{text.constants('i32', start)}] {{order = array<i32: {', '.join(map(str, order))}>}} : {kind}"
    )
    return made, f"!tt.ptr{kind}"


def words(checked, padding=0):
    parts = [f"boundaryCheck = array<i32: {', '.join(map(str, checked))}>"] if checked else []
    parts += [f"padding = {padding} : i32"] if padding else []
    return f" {{{', '.join(parts)}}}" if parts else ""


def loads(element, layout, padding=0, checked=None, name=""):
    shape, strides, block, starts = layout
    checked = list(range(len(shape))) if checked is None else checked
    text, count = Text(), int(np.prod(block))
    for number, start in enumerate(starts):
        made, kind = block_pointer(text, "%x", shape, strides, block, start, element)
        value = text.new(f"tt.load {made}{words(checked, padding)} : {kind}")
        text.put("%o", element, block, number * count, value)
    fill = np.nan if padding == 2 else 0

    def reference(inputs):
        return [np.concatenate([blocks.read(inputs[0], shape, strides, block, s, fill, checked).reshape(-1) for s in starts])]

    arguments = [In(blocks.data(element, 2400, len(shape))), Out((count * len(starts),), element)]
    text = module([f"%x: !tt.ptr<{element}>", f"%o: !tt.ptr<{element}>"], text.lines)
    return Case(f"{name}load {element} rank {len(shape)} strides {strides}", text, arguments, reference=reference, gpu=NO_PASSES)


def stores(element, layout, checked=None, name=""):
    shape, strides, block, starts = layout
    checked = list(range(len(shape))) if checked is None else checked
    text, count = Text(), int(np.prod(block))
    for number, start in enumerate(starts):
        made, kind = block_pointer(text, "%x", shape, strides, block, start, element)
        value = text.get("%v", element, block, number * count)
        text.do(f"tt.store {made}, {value}{words(checked)} : {kind}")

    def reference(inputs):
        for number, start in enumerate(starts):
            value = inputs[1][number * count : (number + 1) * count].reshape(block)
            blocks.write(inputs[0], shape, strides, value, start, checked)
        return [inputs[0]]

    arguments = [InOut(blocks.data(element, 2400, 3)), In(blocks.data(element, count * len(starts), 4))]
    text = module([f"%x: !tt.ptr<{element}>", f"%v: !tt.ptr<{element}>"], text.lines)
    return Case(f"{name}store {element} rank {len(shape)} strides {strides}", text, arguments, reference=reference, gpu=NO_PASSES)


#: Columns and strides that no descriptor could have.
LAYOUTS = [
    ([37], [1], [16], [[0], [30], [-5], [37], [-16]]),
    ([37], [3], [16], [[0], [30], [-5]]),
    ([9, 33], [41, 1], [8, 16], [[0, 0], [5, 21], [-3, -7], [9, 0]]),
    ([33, 9], [1, 41], [16, 8], [[0, 0], [21, 5], [-7, -3]]),  # columns next to each other in memory
    ([3, 5, 7], [70, 9, 1], [2, 4, 8], [[0, 0, 0], [2, -1, 3]]),
    ([2, 3, 4, 5], [120, 33, 7, 1], [1, 2, 4, 8], [[1, 2, 1, -2], [0, 0, 0, 0]]),
    ([2, 2, 2, 2, 5], [400, 190, 90, 20, 2], [2, 2, 1, 2, 4], [[0, 0, 1, 0, 3], [-1, 1, 0, 1, 0]]),
]
#: Only one dimension is checked; the other stays inside the tensor's memory by itself.
SOME = ([4, 8], [20, 1], [4, 16], [[0, 4], [1, 4]])


def outside():
    text = Text()
    made, kind = block_pointer(text, "%x", [8, 16], [16, 1], [8, 16], [4, 0], "f32")
    value = text.new(f"tt.load {made}{words([1])} : {kind}")
    text.put("%o", "f32", [8, 16], 0, value)
    text = module(["%x: !tt.ptr<f32>", "%o: !tt.ptr<f32>"], text.lines)
    wants = ["LS106", "exceeds the extent 8 in dimension 0, boundary_check=(1,)", "64 of 128 lanes"]
    output = lambda printed: None if all(w in printed for w in wants) else printed
    return Case("a dimension that is not checked", text, [In(blocks.data("f32", 128, 1)), Out((128,), "f32")], exit_code=1, output=output)


def cases():
    for element in TYPES:
        for layout in LAYOUTS:
            yield loads(element, layout)
            yield stores(element, layout)
        if elements.dtype_of(element).kind != "i":
            yield loads(element, LAYOUTS[2], 2, name="nan ")
        yield loads(element, LAYOUTS[2], 1, name="zero ")
        yield loads(element, SOME, checked=[0], name="rows checked ")
        yield stores(element, SOME, checked=[0], name="rows checked ")
    yield loads("f32", ([4, 8], [20, 1], [4, 16], [[0, 0]]), checked=[1], name="columns checked ")
    yield loads("f32", ([4, 8], [0, 1], [4, 8], [[0, 0]]), name="stride 0 ")
    yield outside()
