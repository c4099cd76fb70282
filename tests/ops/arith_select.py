"""arith.select: condition ? a : b, in every type of value; a condition per element, or one scalar for whole tiles."""

import numpy as np
from support import elements, kernels, values
from support.case import Case, In, Out
from support.float_binary import SHAPES

TYPES = elements.INTEGERS + elements.FLOATS + elements.FLOAT8


def operands(element, count=1024):
    condition = values.from_random_bits("i1", count, 3)
    return {"c": condition, "a": np.resize(values.some(element, count, 4), count), "b": np.resize(values.some(element, count, 5)[::-1], count)}


def case(name, element, count=1024, shape=None):
    tile = "TILE({})".format(element)
    line = f"%r = arith.select %c, %a, %b : {'i1' if shape == () else 'TILE(i1)'}, {tile}"
    if shape == ():
        line = f"%r = arith.select %c, %a, %b : {element}"
    return kernels.elementwise(name, line, operands(element, count), {"r": element}, np.where, shape)


def scalar_condition(element):
    """One condition per program, tiles of values."""
    memory, tile = kernels.memory_type(element), f"tensor<64x{element}>"
    given = operands(element, 256)
    given["c"] = np.array([True, False, False, True])
    lines = [*kernels.offsets((64,)), "%c_at = tt.addptr %c_ptr, %program : !tt.ptr<i8>, i32"]
    lines += ["%c_byte = tt.load %c_at : !tt.ptr<i8>", "%zero = arith.constant 0 : i8"]
    lines += ["%c = arith.cmpi ne, %c_byte, %zero : i8"]
    lines += kernels.load("a", element, (64,)) + kernels.load("b", element, (64,))
    lines += [f"%r = arith.select %c, %a, %b : {tile}", *kernels.store("r", element, (64,))]
    pointers = ["%c_ptr: !tt.ptr<i8>"] + [f"%{name}_ptr: !tt.ptr<{memory}>" for name in "abr"]

    def reference(arrays):
        return np.where(np.repeat(arrays[0], 64), arrays[1], arrays[2])

    arguments = [*map(In, given.values()), Out((256,), element)]
    return Case(f"{element}_one_condition", kernels.module(pointers, lines), arguments, (4, 1, 1), reference)


def formulas():
    """Conditions and values that are formulas: a mask from a comparison, a ramp, a splat."""
    lines = kernels.offsets((64,)) + kernels.load("a", "i32", (64,))
    lines += ["%limit = arith.constant dense<40> : tensor<64xi32>", "%minus = arith.constant dense<-7> : tensor<64xi32>"]
    lines += ["%box = arith.cmpi slt, %range, %limit : tensor<64xi32>", "%dense = arith.cmpi sgt, %a, %minus : tensor<64xi32>"]
    results = {"r0": ("box", "range", "minus"), "r1": ("box", "a", "offset"), "r2": ("dense", "offset", "minus"), "r3": ("box", "limit", "minus")}
    for name, (condition, first, second) in results.items():
        lines.append(f"%{name} = arith.select %{condition}, %{first}, %{second} : tensor<64xi1>, tensor<64xi32>")
        lines += kernels.store(name, "i32", (64,))

    def reference(arrays):
        offset = np.arange(256, dtype=np.int32)
        tiles = {"a": arrays[0], "offset": offset, "range": offset % 64, "minus": np.full(256, -7, np.int32), "limit": np.full(256, 40, np.int32)}
        tiles |= {"box": offset % 64 < 40, "dense": arrays[0] > -7}
        return [np.where(*(tiles[name] for name in names)) for names in results.values()]

    pointers = [f"%{name}_ptr: !tt.ptr<i32>" for name in ["a", *results]]
    arguments = [In(values.integers("i32", 256, 8))] + [Out((256,), "i32") for _ in results]
    return Case("formulas", kernels.module(pointers, lines), arguments, (4, 1, 1), reference)


def pointers_case():
    """Addresses chosen element by element."""
    pointer = "tensor<64x!tt.ptr<f32>>"
    lines = kernels.offsets((64,)) + kernels.load("c", "i1", (64,)) + kernels.pointers("a", "f32", (64,)) + kernels.pointers("b", "f32", (64,))
    lines += [f"%at = arith.select %c, %a_at, %b_at : tensor<64xi1>, {pointer}", f"%r = tt.load %at : {pointer}"]
    lines += kernels.store("r", "f32", (64,))
    head = ["%c_ptr: !tt.ptr<i8>"] + [f"%{name}_ptr: !tt.ptr<f32>" for name in "abr"]
    given = operands("f32", 256)
    arguments = [*map(In, given.values()), Out((256,), "f32")]
    return Case("pointers", kernels.module(head, lines), arguments, (4, 1, 1), lambda arrays: np.where(*arrays))


def cases():
    for element in TYPES:
        yield case(element, element)
        yield scalar_condition(element)
    for label, shape in SHAPES.items():
        yield case(f"f32_{label}", "f32", 64 if shape == () else 256, shape)
    yield formulas()
    yield pointers_case()
