"""tt.addptr: the address moves by the offset, sign-extended, times the size of what the pointer points to."""

import numpy as np
from support import tiles

#: Pointees of every size; i1 lies in a byte.
POINTEES = ["i8", "i16", "i32", "i64", "f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64"]
SIZE = 512


def walk(element: str, offset: str):
    """Offsets of both signs from the middle of a tensor, in every form, twice."""
    kernel = tiles.Kernel(len(element) + len(offset))
    array = kernel.random(element, (SIZE,))
    base, kind = kernel.input(array), f"!tt.ptr<{element}>"
    for shape in [(), (32,), (4, 8), (2, 2, 1, 4, 2)]:
        middle = kernel.constant("i32", SIZE // 2)
        middle = kernel.splat(middle, shape) if shape else middle
        first = kernel.pointers(base, element, shape, middle)
        if shape:
            index = kernel.index("scattered" if len(shape) == 1 else "contiguous", shape, 100)
            back = kernel.splat(kernel.constant("i32", 50), shape)
            index = kernel.binary("arith.subi", index, back, index.values - np.int32(50))
            index = kernel.converted(index, offset)
        else:
            index = kernel.constant(offset, -37)
        pointer = tiles.tile(kind, shape)
        places = SIZE // 2 + 2 * index.values.astype(np.int64)
        second, third = kernel.name("at"), kernel.name("at")
        kernel.lines.append(f"{second} = tt.addptr {first}, {index.name} : {pointer}, {index.type()}")
        kernel.lines.append(f"{third} = tt.addptr {second}, {index.name} : {pointer}, {index.type()}")
        kernel.output(kernel.add(f"tt.load {third} : {pointer}", element, array[places]))
    return kernel.case(f"{element} by {offset}")


def far(offset: str, shape):
    """The address itself, of offsets near the ends of the offset's type."""
    kernel = tiles.Kernel(9)
    kernel.parameters += ["%x: !tt.ptr<i32>"]
    kernel.arguments += [tiles.In(np.zeros(16, np.int32))]
    limits = np.iinfo(tiles.dtype_of(offset))
    numbers = np.array([0, 1, -1, limits.max, limits.min, limits.max - 1, limits.min + 1, 5], dtype=tiles.dtype_of(offset))
    index = kernel.reshape(kernel.loaded(numbers, offset), shape)
    at = kernel.pointers("%x", "i32", shape, index)
    kernel.lines.append(f"%address = tt.ptr_to_int {at} : {tiles.tile('!tt.ptr<i32>', shape)} -> {tiles.tile('i64', shape)}")
    kernel.lines.append("%start = tt.ptr_to_int %x : !tt.ptr<i32> -> i64")
    kernel.lines.append(f"%starts = tt.splat %start : i64 -> {tiles.tile('i64', shape)}")
    with np.errstate(all="ignore"):
        moved = index.values.astype(np.int64) * np.int64(4)
    kernel.output(kernel.add(f"arith.subi %address, %starts : {tiles.tile('i64', shape)}", "i64", moved))
    return kernel.case(f"far by {offset} {tiles.shape_text(shape)}")


def ranges_that_wrap():
    """Addresses of a range that runs over the end of 64 bits, seen as integers and compared as such."""
    kernel = tiles.Kernel(10)
    numbers = np.array([2**63 - 16], dtype=np.int64)
    start = kernel.add(f"tt.unsplat {kernel.loaded(numbers, 'i64').name} : tensor<1xi64>", "i64", numbers[0])
    kernel.lines.append(f"%p = tt.int_to_ptr {start.name} : i64 -> !tt.ptr<i32>")
    at = kernel.pointers("%p", "i32", (8,), kernel.range(8))
    with np.errstate(all="ignore"):
        wrapped = numbers[0] + 4 * np.arange(8, dtype=np.int64)
    address = kernel.add(f"tt.ptr_to_int {at} : tensor<8x!tt.ptr<i32>> -> tensor<8xi64>", "i64", wrapped)
    limit = kernel.splat(start, (8,))
    kernel.output(address)
    for predicate, result in (("slt", wrapped < limit.values), ("sge", wrapped >= limit.values), ("ult", wrapped.view(np.uint64) < limit.values.view(np.uint64))):
        kernel.output(kernel.add(f"arith.cmpi {predicate}, {address.name}, {limit.name} : tensor<8xi64>", "i1", result))
    wide = wrapped // np.int64(4) * 0 + np.minimum(wrapped, limit.values)
    kernel.output(kernel.binary("arith.minsi", address, limit, wide))
    return kernel.case("addresses that wrap")


def cases():
    for element in POINTEES:
        yield walk(element, "i32")
    for offset in ("i8", "i16", "i64"):
        yield walk("f32", offset)
    for offset in ("i8", "i16", "i32", "i64"):
        yield far(offset, (8,))
        yield far(offset, (2, 4))
    yield ranges_that_wrap()
