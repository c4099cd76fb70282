"""tt.ptr_to_int: the address. What can be said of addresses everywhere: how far apart they are."""

import numpy as np
from support import tiles


def apart(element: str, shape, form: str):
    kernel = tiles.Kernel(1)
    base = kernel.input(kernel.random(element, (256,)))
    index = kernel.index(form, shape, 256) if shape else kernel.constant("i32", 77)
    at = kernel.pointers(base, element, shape, index)
    kind = tiles.tile(f"!tt.ptr<{element}>", shape)
    address = kernel.add(f"tt.ptr_to_int {at} : {kind} -> {tiles.tile('i64', shape)}", "i64", index.values)
    start = kernel.add(f"tt.ptr_to_int {base} : !tt.ptr<{element}> -> i64", "i64", np.int64(0))
    start = kernel.splat(start, shape) if shape else start
    distance = index.values.astype(np.int64) * tiles.dtype_of(element).itemsize
    kernel.output(kernel.binary("arith.subi", address, start, distance))
    kernel.output(kernel.add(f"arith.cmpi sge, {address.name}, {start.name} : {address.type()}", "i1", distance >= 0))
    return kernel.case(f"{element} {form} {tiles.shape_text(shape)}")


def cases():
    yield apart("f32", (), "one")
    for form in tiles.INDEXES:
        for element, shape in [("f32", (32,)), ("f16", (4, 8)), ("i8", (2, 1, 4)), ("i64", (2, 2, 1, 2, 4))]:
            yield apart(element, shape, form)
