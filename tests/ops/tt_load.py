"""tt.load: what lies at each lane's address. A lane whose mask is false touches nothing and reads `other`, or 0 without one (S-50)."""

import numpy as np
from support import tiles

SIZE = 256
SHAPES = [(), (1,), (32,), (4, 16), (1, 8), (8, 1), (2, 4, 8), (2, 1, 4, 4), (2, 2, 2, 2, 2)]


def load(kernel, base, array, index, mask=None, other=None, words="", element=None):
    element = element or tiles.elements.name_of(array.dtype)
    at = kernel.pointers(base, element, index.shape, index)
    read = array[index.values if mask is None else np.where(mask.values, index.values, 0)]
    if mask is not None:
        read = np.where(mask.values, read, other.values if other else np.zeros((), array.dtype)).astype(array.dtype)
    operands = "".join(f", {x.name}" for x in (mask, other) if x)
    text = f"tt.load {at}{operands}{words} : {tiles.tile(f'!tt.ptr<{element}>', index.shape)}"
    made = kernel.add(text, element, read)
    kernel.output(made)
    return made


def scalars(kernel, base, array, element):
    place = kernel.constant("i32", 9)
    load(kernel, base, array, place)
    for truth in (True, False):
        mask = kernel.constant("i1", truth)
        load(kernel, base, array, place, mask)
        load(kernel, base, array, place, mask, kernel.dense(element, ()))


def plain(kernel, base, array, element, shape):
    for form in tiles.INDEXES:
        index = kernel.index(form, shape, SIZE)
        load(kernel, base, array, index)
        for mask_form in tiles.forms("i1", shape):
            mask = kernel.make(mask_form, "i1", shape)
            load(kernel, base, array, index, mask)
            others = tiles.forms(element, shape)
            load(kernel, base, array, index, mask, kernel.make(others[kernel.seed % len(others)], element, shape))


def types():
    for number, element in enumerate(tiles.ALL):
        if element in ("ptr", "i1"):
            continue
        for place, shape in enumerate(SHAPES):
            if number % 3 and place % 3 != number % 3 and element not in ("f32", "i64"):
                continue
            kernel = tiles.Kernel(100 * number + place)
            array = kernel.random(element, (SIZE,))
            base = kernel.input(array)
            if shape:
                plain(kernel, base, array, element, shape)
            else:
                scalars(kernel, base, array, element)
            yield kernel.case(f"{element} {tiles.shape_text(shape)}", gpu=tiles.NO_GPU.get(element, True))


def hints():
    """Text that asks for a way of caching changes no value."""
    words = [" cacheModifier = ca", " cacheModifier = cg", " cacheModifier = cv", " evictionPolicy = evict_first", " evictionPolicy = evict_last"]
    words += [" {isVolatile = true}", " cacheModifier = cg evictionPolicy = evict_last {isVolatile = true}"]
    for text in words:
        kernel = tiles.Kernel(5)
        array = kernel.random("f32", (SIZE,))
        base = kernel.input(array)
        load(kernel, base, array, kernel.index("contiguous", (32,), SIZE), words=text)
        load(kernel, base, array, kernel.constant("i32", 3), words=text)
        yield kernel.case("hints" + text)


def masked_far_away():
    """Lanes that are masked off may have any address."""
    kernel = tiles.Kernel(6)
    array = kernel.random("f32", (SIZE,))
    base = kernel.input(array)
    for factor in (1, 50_000_000):
        for mask_form in ("box", "dense"):
            index = kernel.affine((32,), [factor], 0)
            mask = kernel.less(index, 1) if mask_form == "box" else kernel.loaded(np.arange(32) == 0, "i1")
            load(kernel, base, array, index, mask)
    return kernel.case("masked off anywhere")


def pointers_in_memory():
    """Pointers that were stored and are loaded again."""
    kernel = tiles.Kernel(7)
    array = np.arange(SIZE, dtype=np.int32) * 3
    base = kernel.input(array)
    kernel.parameters.append("%cells: !tt.ptr<i64>")
    kernel.arguments.append(tiles.Out((32,), "i64", 0))
    kernel.lines.append("%cell = tt.bitcast %cells : !tt.ptr<i64> -> !tt.ptr<!tt.ptr<i32>>")
    kind = "!tt.ptr<!tt.ptr<i32>>"
    kernel.lines.append(f"%cell_base = tt.splat %cell : {kind} -> tensor<32x{kind}>")
    lane = kernel.range(32)
    kernel.lines.append(f"%cell_at = tt.addptr %cell_base, {lane.name} : tensor<32x{kind}>, tensor<32xi32>")
    index = kernel.index("scattered", (32,), SIZE)
    at = kernel.pointers(base, "i32", (32,), index)
    kernel.lines.append(f"tt.store %cell_at, {at} : tensor<32x{kind}>")
    kernel.lines.append("gpu.barrier")
    kernel.lines.append(f"%back = tt.load %cell_at : tensor<32x{kind}>")
    kernel.expected.append(None)  # addresses are the machine's
    kernel.output(kernel.add("tt.load %back : tensor<32x!tt.ptr<i32>>", "i32", array[index.values]))
    kernel.lines.append(f"%first = tt.load %cell : {kind}")
    kernel.output(kernel.add("tt.load %first : !tt.ptr<i32>", "i32", array[index.values[0]]))

    def the_rest(outputs, expected, inputs):
        wrong = [i for i in (1, 2) if not np.array_equal(outputs[i], np.asarray(expected[i]).reshape(outputs[i].shape))]
        return f"outputs {wrong} differ" if wrong else None

    expected = [np.zeros(32, np.int64), *kernel.expected[1:]]
    return kernel.case("pointers", reference=lambda inputs: expected, bound=the_rest, gpu_bound=the_rest)


def booleans():
    """*i1: any byte but 0 is true."""
    kernel = tiles.Kernel(8)
    raw = np.array([0, 1, 2, 0xFF, 0x80, 0, 3, 1] * 8, dtype=np.uint8)
    base = kernel.input(raw)
    kernel.lines.append(f"%bits = tt.bitcast {base} : !tt.ptr<i8> -> !tt.ptr<i1>")
    for form, shape in [("contiguous", (32,)), ("scattered", (16,)), ("columns", (4, 8))]:
        index = kernel.index(form, shape, raw.size)
        kernel.lines.append(f"%base{kernel.count} = tt.splat %bits : !tt.ptr<i1> -> {tiles.tile('!tt.ptr<i1>', shape)}")
        at = kernel.name("at")
        kernel.lines.append(f"{at} = tt.addptr %base{kernel.count - 1}, {index.name} : {tiles.tile('!tt.ptr<i1>', shape)}, {index.type()}")
        kernel.output(kernel.add(f"tt.load {at} : {tiles.tile('!tt.ptr<i1>', shape)}", "i1", raw[index.values] != 0))
    kernel.output(kernel.add("tt.load %bits : !tt.ptr<i1>", "i1", raw[0] != 0))
    return kernel.case("i1", gpu="Triton's front end loads bytes and compares them")


def outside(name, first, mask_bound, other, code, lanes):
    """Lanes beyond the tensor are findings, and read what lanes that are masked off read."""
    kernel = tiles.Kernel(11)
    array = kernel.random("f32", (40,))
    base = kernel.input(array)
    index = kernel.range(32, 0)
    if first:
        index = kernel.binary("arith.addi", index, kernel.splat(kernel.constant("i32", first), (32,)), index.values + np.int32(first))
    mask = kernel.less(index, mask_bound) if mask_bound is not None else None
    fill = kernel.make("uniform", "f32", (32,)) if other else None
    at = kernel.pointers(base, "f32", (32,), index)
    good = (index.values >= 0) & (index.values < 40) & (mask.values if mask else True)
    read = np.where(good, array[np.where(good, index.values, 0)], fill.values if fill else np.float32(0)).astype(np.float32)
    operands = "".join(f", {x.name}" for x in (mask, fill) if x)
    kernel.output(kernel.add(f"tt.load {at}{operands} : tensor<32x!tt.ptr<f32>>", "f32", read))

    def says(text):
        return None if code in text and f"{lanes} of 32 lanes" in text else f"no {code} for {lanes} of 32 lanes in {text}"

    return kernel.case(name, exit_code=1, output=says, gpu="reads outside of the tensor")


def cases():
    yield from types()
    yield from hints()
    yield masked_far_away()
    yield pointers_in_memory()
    yield booleans()
    yield outside("past the end", 20, None, False, "LS101", 12)
    yield outside("past the end, masked too late", 20, 45, True, "LS101", 5)
    yield outside("before the start", -3, 30, True, "LS104", 3)
