"""tt.advance: adds to the offsets of a block pointer, which stays a value: through loops, branches and selects (S-60)."""

import numpy as np
from support import blocks
from support.blocks import TYPES, Text
from support.case import Case, In, Out
from support.kernels import module, tile
from tt_make_tensor_ptr import NO_PASSES, block_pointer, words

SHAPE, STRIDES, BLOCK = [20, 60], [64, 1], [4, 16]
STEPS = [[0, 16], [4, 0], [-4, 32], [13, -50], [0, 0], [100, 3], [-113, -1]]


def chain(element):
    """Every step's block; the pointer before the step is used again afterwards."""
    text, start = Text(), [0, 0]
    made, kind = block_pointer(text, "%x", SHAPE, STRIDES, BLOCK, start, element)
    short = kind.removeprefix("!tt.ptr")
    starts = []
    for number, step in enumerate(STEPS):
        moved = text.new(f"tt.advance {made}, [{text.constants('i32', step)}] : {short}")
        for which, pointer in enumerate((made, moved)):
            value = text.new(f"tt.load {pointer}{words([0, 1])} : {kind}")
            text.put("%o", element, BLOCK, (2 * number + which) * 64, value)
        starts += [start, [a + b for a, b in zip(start, step)]]
        made, start = moved, starts[-1]
    reference = lambda inputs: [np.concatenate([blocks.read(inputs[0], SHAPE, STRIDES, BLOCK, s).reshape(-1) for s in starts])]
    arguments = [In(blocks.data(element, 1300, 3)), Out((64 * len(starts),), element)]
    text = module([f"%x: !tt.ptr<{element}>", f"%o: !tt.ptr<{element}>"], text.lines)
    return Case(f"chain {element}", text, arguments, reference=reference, gpu=NO_PASSES)


def loop():
    """The sum of a row of blocks, two pointers carried, one moved in a branch only."""
    text = Text()
    a, kind = block_pointer(text, "%x", SHAPE, STRIDES, BLOCK, [0, 0], "f32")
    b, _ = block_pointer(text, "%x", SHAPE, STRIDES, BLOCK, [2, 5], "f32")
    short, value = kind.removeprefix("!tt.ptr"), tile("f32", BLOCK)
    zero = text.new(f"arith.constant dense<0.0> : {value}")
    low, high, one = text.constant("i32", 0), text.constant("i32", 4), text.constant("i32", 1)
    lines = f"""%sum, %pa, %pb = scf.for %i = {low} to {high} step {one} iter_args(%s = {zero}, %p = {a}, %q = {b}) -> ({value}, {kind}, {kind}) : i32 {{
      %l = tt.load %p{words([0, 1])} : {kind}
      %m = tt.load %q{words([0, 1])} : {kind}
      %t = arith.addf %s, %l : {value}
      %u = arith.addf %t, %m : {value}
      %w = arith.constant 16 : i32
      %n = arith.constant 0 : i32
      %p2 = tt.advance %p, [%n, %w] : {short}
      %odd = arith.trunci %i : i32 to i1
      %q2 = scf.if %odd -> ({kind}) {{
        %q3 = tt.advance %q, [%w, %n] : {short}
        scf.yield %q3 : {kind}
      }} else {{
        scf.yield %q : {kind}
      }}
      scf.yield %u, %p2, %q2 : {value}, {kind}, {kind}
    }}"""
    text.do(lines)
    text.put("%o", "f32", BLOCK, 0, "%sum")

    def reference(inputs):
        total, q = np.zeros(BLOCK, np.float32), [2, 5]
        for i in range(4):
            total = total + blocks.read(inputs[0], SHAPE, STRIDES, BLOCK, [0, 16 * i])
            total = total + blocks.read(inputs[0], SHAPE, STRIDES, BLOCK, q)
            q = [q[0] + 16, q[1]] if i % 2 else q
        return [total.reshape(-1)]

    values = (np.arange(1300) % 97).astype(np.float32)
    text = module(["%x: !tt.ptr<f32>", "%o: !tt.ptr<f32>"], text.lines)
    return Case("loop", text, [In(values), Out((64,), "f32")], reference=reference, gpu=NO_PASSES)


def cases():
    for element in TYPES:
        yield chain(element)
    yield loop()
