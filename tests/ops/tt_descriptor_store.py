"""tt.descriptor_store: a block of a tensor is written; what lies outside of the tensor is dropped (S-61)."""

import numpy as np
from support import blocks
from support.blocks import TYPES, Text
from support.case import Case, In, InOut
from support.kernels import module


def stores(element, layout, tiles=None, op="tt.descriptor_store", before=False):
    shape, strides, block, starts = blocks.scaled(element, layout) if tiles is None else layout
    starts = starts if before else blocks.not_before(starts)
    result = tiles or block
    text, count = Text(), int(np.prod(block))
    made, kind = blocks.descriptor(text, "%x", element, shape, strides, block)
    for number, start in enumerate(starts):
        value = text.get("%v", element, result, number * count)
        text.do(f"{op} {made}[{text.constants('i32', start)}], {value} : {kind}, {blocks.tile(element, result)}")

    def reference(inputs):
        memory = inputs[0]
        for number, start in enumerate(starts):
            blocks.write(memory, shape, strides, inputs[1][number * count : (number + 1) * count].reshape(block), start)
        return [memory]

    memory = blocks.data(element, blocks.extent(shape, strides), 5)
    values = blocks.data(element, count * len(starts), 6)
    text = module([f"%x: !tt.ptr<{element}>", f"%v: !tt.ptr<{element}>"], text.lines)
    return text, [InOut(memory), In(values)], reference


def case(name, *args, **more):
    text, arguments, reference = stores(*args, **more)
    return Case(name, text, arguments, reference=reference)


def before_the_tensor():
    """A finding where the GPU faults, and the part inside is written all the same."""
    for number, target in enumerate(("sm_90", "sm_80")):
        text, arguments, reference = stores("f16", blocks.LAYOUTS[1], before=True)
        output = lambda printed, number=number: None if ("LS111" in printed) != bool(number) else printed
        yield Case(f"before the tensor on {target}", text, arguments, reference=reference, exit_code=1 - number, output=output, target=target,
                   gpu="the GPU faults")


def cases():
    yield from before_the_tensor()
    for element in TYPES:
        for layout in blocks.LAYOUTS:
            yield case(f"{element} rank {len(layout[0])}", element, layout)
    layout = ([2, 3, 9, 32], [896, 288, 32, 1], [1, 1, 4, 16], [[1, 2, 3, 16], [0, 1, 8, 0], [2, 0, 0, 0], [0, -1, 0, 0]])
    for tiles in ([4, 16], [1, 4, 16], [4, 1, 16], [64], [2, 2, 16], [16, 4]):
        yield case(f"f16 block of rank 4 from {tiles}", "f16", layout, tiles=tiles)
