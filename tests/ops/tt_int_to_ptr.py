"""tt.int_to_ptr: a pointer with that address; it may reach every tensor of the launch."""

import numpy as np
from support import tiles


def through_integers(element: str, shape, form: str):
    """The addresses of elements as integers, moved by whole elements, and read through again."""
    kernel = tiles.Kernel(2)
    array = kernel.random(element, (256,))
    base = kernel.input(array)
    index = kernel.index(form, shape, 128) if shape else kernel.constant("i32", 77)
    at = kernel.pointers(base, element, shape, index)
    kind = tiles.tile(f"!tt.ptr<{element}>", shape)
    address = kernel.add(f"tt.ptr_to_int {at} : {kind} -> {tiles.tile('i64', shape)}", "i64", index.values)
    step = kernel.constant("i64", 128 * array.dtype.itemsize)
    step = kernel.splat(step, shape) if shape else step
    moved = kernel.binary("arith.addi", address, step, index.values + 128)
    pointer = kernel.name("p")
    kernel.lines.append(f"{pointer} = tt.int_to_ptr {moved.name} : {moved.type()} -> {kind}")
    kernel.output(kernel.add(f"tt.load {pointer} : {kind}", element, array[moved.values]))
    return kernel.case(f"{element} {form} {tiles.shape_text(shape)}")


def nowhere():
    """An address of no tensor is a finding, and reads 0."""
    kernel = tiles.Kernel(3)
    number = kernel.constant("i64", 4096)
    kernel.lines.append(f"%p = tt.int_to_ptr {number.name} : i64 -> !tt.ptr<f32>")
    kernel.output(kernel.add("tt.load %p : !tt.ptr<f32>", "f32", np.float32(0)))

    def says(text):
        return None if "LS101" in text else f"no LS101 in {text}"

    return kernel.case("nowhere", exit_code=1, output=says, gpu="reads outside of every tensor")


def cases():
    yield through_integers("f32", (), "one")
    for form in tiles.INDEXES:
        if form == "spread":
            continue
        for element, shape in [("f32", (32,)), ("f16", (4, 8)), ("i8", (2, 1, 4)), ("i64", (2, 2, 1, 2, 4))]:
            yield through_integers(element, shape, form)
    yield nowhere()
