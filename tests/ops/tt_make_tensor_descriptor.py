"""tt.make_tensor_descriptor: the same block through descriptors of every rank, padding and sign; descriptors through selects, branches,
loops and calls; what the GPU's tensor memory unit refuses is LS112."""

import numpy as np
from support.blocks import TYPES, Text
from support.case import Case, In, Out
from support.kernels import module, tile

from support import blocks, elements


def one(element, layout, padding, sign=""):
    shape, strides, block, starts = blocks.scaled(element, layout)
    text, count = Text(), int(np.prod(block))
    made, kind = blocks.descriptor(text, "%x", element, shape, strides, block, padding, sign)
    value = text.new(f"tt.descriptor_load {made}[{text.constants('i32', starts[-1])}] : {kind} -> {tile(element, block)}")
    text.put("%o", element, block, 0, value)
    fill = np.nan if "= 2" in padding else 0
    reference = lambda inputs: [blocks.read(inputs[0], shape, strides, block, starts[-1], fill).reshape(-1)]
    arguments = [In(blocks.data(element, blocks.extent(shape, strides), 1)), Out((count,), element)]
    name = f"{sign}{element} rank {len(shape)}{padding}"
    text = module([f"%x: !tt.ptr<{element}>", f"%o: !tt.ptr<{element}>"], text.lines)
    is_refused = "= 2" in padding and elements.dtype_of(element).itemsize == 1  # LS112: the H200 faults on NaN in bytes
    return Case(name, text, arguments, reference=reference, target="sm_80" if is_refused else "sm_90")


LAYOUT = ([6, 32], [32, 1], [4, 16])


def through(name, lines, functions="", load=(2, 16), which=0):
    """Two descriptors %a (of %x) and %b (of %y); the lines make %d."""
    text = Text()
    first, kind = blocks.descriptor(text, "%x", "f32", *LAYOUT)
    second, _ = blocks.descriptor(text, "%y", "f32", *LAYOUT)
    for line in lines:
        text.do(line.replace("%a", first).replace("%b", second).replace("TYPE", kind))
    value = text.new(f"tt.descriptor_load %d[{text.constants('i32', load)}] : {kind} -> tensor<4x16xf32>")
    text.put("%o", "f32", (4, 16), 0, value)
    parameters = ["%x: !tt.ptr<f32>", "%y: !tt.ptr<f32>", "%n: i32", "%o: !tt.ptr<f32>"]

    def reference(inputs):
        return [blocks.read(inputs[which], *LAYOUT, load).reshape(-1)]

    arguments = [In(blocks.data("f32", 192, 1)), In(blocks.data("f32", 192, 2)), 3, Out((64,), "f32")]
    text = module(parameters, text.lines, functions=functions.replace("TYPE", kind))
    return Case(name, text, arguments, reference=reference, gpu="the compiler must know the descriptor")


FUNCTION = """  tt.func private @pick(%p: TYPE, %q: TYPE) -> TYPE attributes {noinline = false} {
    tt.return %q : TYPE
  }
"""


def travels():
    less = ["%c3 = arith.constant 3 : i32", "%c = arith.cmpi eq, %n, %c3 : i32"]
    yield through("select", [*less, "%d = arith.select %c, %b, %a : TYPE"], which=1)
    yield through("if", [*less, "%d = scf.if %c -> (TYPE) {", "  scf.yield %a : TYPE", "} else {", "  scf.yield %b : TYPE", "}"])
    bounds = ["%i0 = arith.constant 0 : i32", "%i1 = arith.constant 1 : i32"]
    swap = ["%d, %e = scf.for %i = %i0 to %n step %i1 iter_args(%p = %a, %q = %b) -> (TYPE, TYPE) : i32 {", "  scf.yield %q, %p : TYPE, TYPE", "}"]
    yield through("loop that swaps two", [*bounds, *swap], which=1)
    yield through("call", ["%d = tt.call @pick(%a, %b) : (TYPE, TYPE) -> TYPE"], FUNCTION, which=1)


def cannot(name, shape, strides, offset=0, target="sm_90"):
    """Reported where the descriptor is used; before sm_90 nothing is asked."""
    text = Text()
    base = text.new(f"tt.addptr %x, {text.constant('i32', offset)} : !tt.ptr<f32>, i32")
    made, kind = blocks.descriptor(text, base, "f32", shape, strides, [2, 4])
    value = text.new(f"tt.descriptor_load {made}[{text.constants('i32', [0, 0])}] : {kind} -> tensor<2x4xf32>")
    text.put("%o", "f32", (2, 4), 0, value)
    reference = lambda inputs: [blocks.read(inputs[0][offset:], shape, strides, [2, 4], [0, 0]).reshape(-1)]
    arguments = [In(blocks.data("f32", 256, 1)), Out((8,), "f32")]
    text = module(["%x: !tt.ptr<f32>", "%o: !tt.ptr<f32>"], text.lines)
    before = target == "sm_80"
    output = lambda printed: None if ("LS112" in printed) != before else printed
    return Case(f"{name} on {target}", text, arguments, reference=reference, exit_code=0 if before else 1, output=output, target=target)


def cases():
    for element in TYPES:
        for layout in blocks.LAYOUTS:
            yield one(element, layout, "")
        yield one(element, blocks.LAYOUTS[2], " {padding = 1 : i32}")
        if elements.dtype_of(element).kind != "i":
            yield one(element, blocks.LAYOUTS[2], " {padding = 2 : i32}")
        else:
            yield one(element, blocks.LAYOUTS[1], "", "s")
            yield one(element, blocks.LAYOUTS[1], "", "u")
    yield from travels()
    for target in ("sm_90", "sm_80"):
        yield cannot("base", [4, 8], [8, 1], 1, target)
        yield cannot("stride", [4, 8], [6, 1], 0, target)
        yield cannot("last stride", [4, 8], [16, 2], 0, target)
        yield cannot("extent", [4, 0], [8, 1], 0, target)
