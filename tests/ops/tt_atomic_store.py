"""tt.atomic_store (Triton 3.9): memory becomes the value where the mask is true."""

import numpy as np
from support import blocks
from support.blocks import Text
from support.case import Case, In, InOut
from support.kernels import module, tile
from tt_atomic_load import NEWER


def store(element, shape, masked, order="release, gpu"):
    text, count, kind = Text(), int(np.prod(shape)), tile(f"!tt.ptr<{element}>", shape)
    value, at = text.get("%v", element, shape, 0), text.places("%x", element, shape, 3)
    mask = ""
    if masked:
        flat = text.new(f"tt.make_range {{end = {count} : i32, start = 0 : i32}} : {tile('i32', (count,))}")
        bound = text.new(f"arith.constant dense<{count // 3}> : {tile('i32', (count,))}")
        flags = text.new(f"arith.cmpi sge, {flat}, {bound} : {tile('i32', (count,))}")
        if len(shape) > 1:
            flags = text.new(f"tt.reshape {flags} : {tile('i1', (count,))} -> {tile('i1', shape)}")
        mask = f", {flags}"
    text.do(f"tt.atomic_store {order}, {at}, {value}{mask} : {kind}")

    def reference(inputs):
        first = count // 3 if masked else 0
        inputs[0][3 + first : 3 + count] = inputs[1][first:]
        return [inputs[0]]

    arguments = [InOut(blocks.data(element, count + 5, 1)), In(blocks.data(element, count, 2))]
    name = f"{element} {'x'.join(map(str, shape))}{' masked' if masked else ''} {order}"
    text = module([f"%x: !tt.ptr<{element}>", f"%v: !tt.ptr<{element}>"], text.lines)
    return Case(name, text, arguments, reference=reference, gpu=NEWER)


def scalar(element):
    pointer = f"!tt.ptr<{element}>"
    lines = ["%t = arith.constant true", f"%w = tt.load %v : {pointer}", f"tt.atomic_store relaxed, sys, %x, %w, %t : {pointer}"]
    arguments = [InOut(blocks.data(element, 1, 1)), In(blocks.data(element, 1, 2))]
    return Case(f"{element} scalar", module([f"%x: {pointer}", f"%v: {pointer}"], lines), arguments, reference=lambda inputs: [inputs[1]], gpu=NEWER)


def cases():
    for element in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"):
        yield scalar(element)
        for shape in ((64,), (4, 16)):
            for masked in (False, True):
                yield store(element, shape, masked)
    for order in ("relaxed, gpu", "relaxed, cta", "release, sys"):
        yield store("i32", (64,), True, order)
