"""tt.store: each lane whose mask is true writes its value at its address. Of lanes with one address the last one in row-major order wins
(S-52: Triton promises no order)."""

import numpy as np
from support import tiles

SIZE = 256
SHAPES = [(), (1,), (32,), (4, 16), (1, 8), (8, 1), (2, 4, 8), (2, 1, 4, 4), (2, 2, 2, 2, 2)]
SHARED = {"repeated", "one", "scattered"}


def target(kernel: tiles.Kernel, element: str, size=SIZE):
    """A tensor of zeros to store into: its name, and what it should hold."""
    name = kernel.name("out")
    kernel.parameters.append(f"{name}: !tt.ptr<{element}>")
    kernel.arguments.append(tiles.Out((size,), element, 0))
    kernel.expected.append(np.zeros(size, tiles.dtype_of(element)))
    return name, kernel.expected[-1]


def store(kernel, element, index, value, mask=None, words="", size=SIZE):
    base, memory = target(kernel, element, size)
    at = kernel.pointers(base, element, index.shape, index)
    active = np.broadcast_to(mask.values if mask else True, index.shape).reshape(-1)
    for place, number, is_active in zip(index.values.reshape(-1), value.values.reshape(-1), active):
        if is_active and 0 <= place < size:
            memory[place] = number
    operands = f", {mask.name}" if mask else ""
    kernel.lines.append(f"tt.store {at}, {value.name}{operands}{words} : {tiles.tile(f'!tt.ptr<{element}>', index.shape)}")


def every_way(element: str, shape, indexes, seed: int, gpu):
    kernel = tiles.Kernel(seed)
    value_forms, mask_forms = tiles.forms(element, shape), tiles.forms("i1", shape)
    for form in indexes:
        for value_form in value_forms:
            store(kernel, element, kernel.index(form, shape, SIZE), kernel.make(value_form, element, shape))
        for place, mask_form in enumerate(mask_forms):
            value = kernel.make(value_forms[place % len(value_forms)], element, shape)
            store(kernel, element, kernel.index(form, shape, SIZE), value, kernel.make(mask_form, "i1", shape))
    return kernel.case(f"{element} {tiles.shape_text(shape)}" + (" shared" if indexes[0] in SHARED else ""), gpu=gpu)


def scalar(element: str, gpu):
    kernel = tiles.Kernel(3)
    place = kernel.constant("i32", 5)
    store(kernel, element, place, kernel.dense(element, ()))
    for truth in (True, False):
        store(kernel, element, place, kernel.dense(element, ()), kernel.constant("i1", truth))
    return kernel.case(f"{element} scalar", gpu=gpu)


def types():
    apart = [form for form in tiles.INDEXES if form not in SHARED]
    for number, element in enumerate(tiles.ALL):
        if element in ("ptr", "i1"):
            continue
        gpu = tiles.NO_GPU.get(element, True)
        yield scalar(element, gpu)
        for place, shape in enumerate(SHAPES[1:]):
            if element not in ("f32", "i64") and place % 3 != number % 3:
                continue
            yield every_way(element, shape, apart, 100 * number + place, gpu)
            if element in ("f32", "i64", "i8"):
                yield every_way(element, shape, sorted(SHARED), 100 * number + place, "which lane wins is not promised")


def overlapping(shape, factors, order, element="i32"):
    """Lanes that share addresses, with a value that lies in memory in another order than the addresses."""
    kernel = tiles.Kernel(len(shape) + sum(factors))
    source = kernel.dense(element, tuple(shape[order.index(d)] for d in range(len(shape))))
    index = kernel.affine(shape, factors, 20 if min(factors) >= 0 else 200)
    store(kernel, element, index, kernel.trans(source, order))
    box = kernel.less(index, int(np.median(index.values)))
    store(kernel, element, index, kernel.trans(source, order), box)
    name = f"{element} {tiles.shape_text(shape)} strides {factors} order {order}"
    return kernel.case(name, gpu="which lane wins is not promised")


def hints():
    words = [" cacheModifier = wb", " cacheModifier = cg", " cacheModifier = cs", " cacheModifier = wt", " evictionPolicy = evict_first"]
    words += [" cacheModifier = cs evictionPolicy = evict_last"]
    for text in words:
        kernel = tiles.Kernel(5)
        store(kernel, "f32", kernel.index("contiguous", (32,), SIZE), kernel.dense("f32", (32,)), words=text)
        store(kernel, "f32", kernel.constant("i32", 3), kernel.dense("f32", ()), words=text)
        yield kernel.case("hints" + text)


def booleans():
    """*i1: true is the byte 1."""
    kernel = tiles.Kernel(8)
    for form in tiles.forms("i1", (32,)):
        base, memory = target(kernel, "i8", 40)
        value, index = kernel.make(form, "i1", (32,)), kernel.index("contiguous", (32,), 40)
        memory[index.values] = value.values
        kernel.lines.append(f"{base}_bits = tt.bitcast {base} : !tt.ptr<i8> -> !tt.ptr<i1>")
        kernel.lines.append(f"{base}_base = tt.splat {base}_bits : !tt.ptr<i1> -> tensor<32x!tt.ptr<i1>>")
        kernel.lines.append(f"{base}_at = tt.addptr {base}_base, {index.name} : tensor<32x!tt.ptr<i1>>, tensor<32xi32>")
        kernel.lines.append(f"tt.store {base}_at, {value.name} : tensor<32x!tt.ptr<i1>>")
    return kernel.case("i1", gpu="Triton's front end stores bytes")


def outside(name, start, code, lanes):
    """Lanes beyond the tensor are findings and write nothing; the other lanes write."""
    kernel = tiles.Kernel(11)
    index = kernel.range(32)
    index = kernel.binary("arith.addi", index, kernel.splat(kernel.constant("i32", start), (32,)), index.values + np.int32(start))
    store(kernel, "f32", index, kernel.dense("f32", (32,)), size=40)

    def says(text):
        return None if code in text and f"{lanes} of 32 lanes" in text else f"no {code} for {lanes} of 32 lanes in {text}"

    return kernel.case(name, exit_code=1, output=says, gpu="writes outside of the tensor")


def cases():
    yield from types()
    yield from hints()
    yield booleans()
    yield overlapping((16, 16), [1, 1], [1, 0])
    yield overlapping((16, 16), [2, 1], [1, 0])
    yield overlapping((32, 32), [1, 1], [1, 0])
    yield overlapping((32, 32), [1, -1], [1, 0])
    yield overlapping((32, 32), [1, 2], [1, 0], "i8")
    yield overlapping((32, 32), [0, 1], [1, 0], "f16")
    yield overlapping((8, 16, 4), [1, 2, 1], [2, 0, 1])
    yield overlapping((8, 16, 4), [4, 1, 3], [1, 2, 0], "i64")
    yield outside("past the end", 20, "LS101", 12)
    yield outside("before the start", -3, "LS104", 3)
