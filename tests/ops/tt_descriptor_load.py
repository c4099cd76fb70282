"""tt.descriptor_load: a block of a tensor; what lies outside is the padding (S-61), whole blocks outside too. Blocks may be taken as tiles
of another shape with the same elements (dimensions of 1 dropped)."""

import numpy as np
from support.blocks import TYPES, Text
from support.case import Case, In, Out
from support.kernels import module

from support import blocks, elements


def loads(element, layout, padding="", words="", tiles=None, op="tt.descriptor_load"):
    """Loads every start's block and stores it."""
    shape, strides, block, starts = blocks.scaled(element, layout) if tiles is None else layout
    result = tiles or block
    fill = np.nan if padding else 0
    text, count = Text(), int(np.prod(block))
    made, kind = blocks.descriptor(text, "%x", element, shape, strides, block, padding)
    for number, start in enumerate(starts):
        value = text.new(f"{op} {made}[{text.constants('i32', start)}]{words} : {kind} -> {blocks.tile(element, result)}")
        text.put("%o", element, result, number * count, value)

    def reference(inputs):
        return [np.concatenate([blocks.read(inputs[0], shape, strides, block, s, fill).reshape(-1) for s in starts])]

    source = blocks.data(element, blocks.extent(shape, strides), len(shape))
    arguments = [In(source), Out((count * len(starts),), element)]
    text = module([f"%x: !tt.ptr<{element}>", f"%o: !tt.ptr<{element}>"], text.lines)
    return text, arguments, reference


def case(name, *args, gpu=True, target="sm_90", **more):
    text, arguments, reference = loads(*args, **more)
    return Case(name, text, arguments, reference=reference, gpu=gpu, target=target)


def dropped():
    """Blocks with dimensions of 1, taken as tiles of lower and of other ranks."""
    layout = ([2, 3, 9, 32], [896, 288, 32, 1], [1, 1, 4, 16], [[1, 2, 3, 16], [0, 1, 8, 0], [2, 0, 0, 0], [0, -1, 0, 0]])
    for tiles in ([4, 16], [1, 4, 16], [4, 1, 16], [64], [2, 2, 16], [16, 4], [1, 4, 1, 16, 1]):
        yield case(f"f16 block of rank 4 as {tiles}", "f16", layout, tiles=tiles)
    ones = ([5, 16], [16, 1], [1, 16], [[0, 0], [4, 8], [5, 0], [-1, 0]])
    yield case("f32 one row as a vector", "f32", ones, tiles=[16])


def from_host():
    """The descriptor is a parameter; the tensor's shape is the descriptor's. Sizes and strides follow, as Triton passes them."""
    lines = Text()
    kind = "!tt.tensordesc<tensor<8x16xf16>>"
    for number, start in enumerate([[0, 0], [4, 8], [-2, 16], [8, 24]]):
        value = lines.new(f"tt.descriptor_load %d[{lines.constants('i32', start)}] : {kind} -> tensor<8x16xf16>")
        lines.put("%o", "f16", (8, 16), number * 128, value)
    total = lines.new("arith.addi %d0, %d1 : i32")
    lines.do(f"tt.store %n, {total} : !tt.ptr<i32>")
    parameters = [f"%d: {kind}", "%d0: i32", "%d1: i32", "%d2: i64", "%d3: i64", "%o: !tt.ptr<f16>", "%n: !tt.ptr<i32>"]

    def reference(inputs):
        x = inputs[0].reshape(-1)
        out = [blocks.read(x, [10, 32], [32, 1], [8, 16], s).reshape(-1) for s in ([0, 0], [4, 8], [-2, 16], [8, 24])]
        return [np.concatenate(out), np.array([42], np.int32)]

    arguments = [In(blocks.data("f16", 320, 9).reshape(10, 32)), 10, 32, 32, 1, Out((512,), "f16"), Out((1,), "i32")]
    return Case("descriptor from the host", module(parameters, lines.lines), arguments, reference=reference,
                gpu="a .ttir file launched by hand takes no descriptor")


def refused(name, layout, wants, element="f16", padding=""):
    text, arguments, _ = loads(element, layout, padding, tiles=layout[2])
    output = lambda printed: None if wants in printed else f"'{wants}' is not in:\n{printed}"
    return Case(name, text, arguments, exit_code=1, output=output, gpu="the GPU faults")


def cases():
    for element in TYPES:
        for layout in blocks.LAYOUTS:
            yield case(f"{element} rank {len(layout[0])}", element, layout)
    for element in TYPES:
        if elements.dtype_of(element).kind != "i":
            is_byte = elements.dtype_of(element).itemsize == 1  # LS112: the H200 faults on these
            target = "sm_80" if is_byte else "sm_90"
            yield case(f"{element} nan", element, blocks.LAYOUTS[1], " {padding = 2 : i32}", target=target)
    yield case("hints", "f32", blocks.LAYOUTS[1], words=" cacheModifier = ca evictionPolicy = evict_last")
    yield from dropped()
    yield from_host()
    yield refused("stride of 20 bytes", ([4, 8], [10, 1], [4, 8], [[0, 0]]), "LS112")
    yield refused("NaN in bytes", blocks.scaled("f8E5M2", blocks.LAYOUTS[1]), "8 bits", "f8E5M2", " {padding = 2 : i32}")
    yield refused("no rows", ([0, 8], [8, 1], [4, 8], [[0, 0]]), "LS112")
    yield refused("column 1", ([4, 32], [32, 1], [4, 8], [[0, 1]]), "LS111")
    yield larger()


def larger():
    text, arguments, _ = loads("f32", ([8, 8], [8, 1], [4, 8], [[4, 0]]), tiles=[4, 8])
    arguments[0] = In(arguments[0].array[:40])
    output = lambda printed: None if "the descriptor's shape is larger than the tensor" in printed else printed
    return Case("shape larger than the tensor", text, arguments, exit_code=1, output=output, gpu="out of bounds")
