"""tt.atomic_load (Triton 3.9): what memory holds; lanes that are masked off are 0 (S-50)."""

import numpy as np
from support import blocks
from support.blocks import Text
from support.case import Case, In, Out
from support.kernels import module, tile

NEWER = "Triton 3.6 does not know the op"


def load(element, shape, masked, order="acquire, gpu"):
    text, count, kind = Text(), int(np.prod(shape)), tile(f"!tt.ptr<{element}>", shape)
    at = text.places("%x", element, shape, 3)
    mask, types = "", kind
    if masked:
        flat = text.new(f"tt.make_range {{end = {count} : i32, start = 0 : i32}} : {tile('i32', (count,))}")
        bound = text.new(f"arith.constant dense<{count // 3}> : {tile('i32', (count,))}")
        flags = text.new(f"arith.cmpi sge, {flat}, {bound} : {tile('i32', (count,))}")
        flags = text.new(f"tt.reshape {flags} : {tile('i1', (count,))} -> {tile('i1', shape)}") if len(shape) > 1 else flags
        mask, types = f", {flags}", f"{kind}, {tile('i1', shape)}"
    value = text.new(f"tt.atomic_load {order}, {at}{mask} : ({types}) -> {tile(element, shape)}")
    text.put("%o", element, shape, 0, value)

    def reference(inputs):
        out = inputs[0][3 : 3 + count].copy()
        out[: count // 3 if masked else 0] = 0
        return [out]

    arguments = [In(blocks.data(element, count + 3, 1)), Out((count,), element)]
    name = f"{element} {'x'.join(map(str, shape))}{' masked' if masked else ''} {order}"
    text = module([f"%x: !tt.ptr<{element}>", f"%o: !tt.ptr<{element}>"], text.lines)
    return Case(name, text, arguments, reference=reference, gpu=NEWER)


def scalar(element):
    pointer = f"!tt.ptr<{element}>"
    lines = ["%t = arith.constant true", f"%v = tt.atomic_load relaxed, sys, %x, %t : ({pointer}, i1) -> {element}", f"tt.store %o, %v : {pointer}"]
    arguments = [In(blocks.data(element, 1, 1)), Out((1,), element)]
    return Case(f"{element} scalar", module([f"%x: {pointer}", f"%o: {pointer}"], lines), arguments, reference=lambda inputs: [inputs[0]], gpu=NEWER)


def cases():
    for element in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"):
        yield scalar(element)
        for shape in ((64,), (4, 16)):
            for masked in (False, True):
                yield load(element, shape, masked)
    for order in ("relaxed, gpu", "relaxed, cta", "acquire, sys"):
        yield load("i32", (64,), True, order)
