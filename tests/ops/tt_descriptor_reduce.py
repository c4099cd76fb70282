"""tt.descriptor_reduce: each element of a tensor is combined with the block's; what lies outside is dropped (S-62). `inc` and `dec` are
PTX's counters of 32 bits. Minimum and maximum are signed only if the descriptor says si."""

import numpy as np
from support import blocks, elements
from support.blocks import Text
from support.case import Case, In, InOut
from support.kernels import module, tile

LAYOUT = ([11, 40], [48, 1], [8, 16])
STARTS = [[0, 0], [3, 32], [3, 0], [3, 16], [400, 0]]
BITWISE = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
ORDER = {"min": np.minimum, "max": np.maximum}


def increment(old, value):
    return np.where(old >= value, 0, old + 1).astype(old.dtype)


def decrement(old, value):
    return np.where((old == 0) | (old > value), value, old - 1).astype(old.dtype)


def reduces(element, kind, combine, sign="", old=None, new=None):
    shape, strides, block = LAYOUT
    text, count = Text(), 128
    made, described = blocks.descriptor(text, "%x", element, shape, strides, block, "", sign)
    for number, start in enumerate(STARTS):
        value = text.get("%v", element, block, number * count)
        text.do(f"tt.descriptor_reduce {kind}, {made}[{text.constants('i32', start)}], {value} : {described}, {tile(element, block)}")
    unsigned = element.startswith("i") and (sign != "s" or kind in ("inc", "dec"))
    seen = elements.dtype_of(element) if not unsigned else elements.BITS[elements.dtype_of(element).itemsize]

    def reference(inputs):
        memory, values = inputs[0].view(seen), inputs[1].view(seen)
        for number, start in enumerate(STARTS):
            value = values[number * count : (number + 1) * count].reshape(block)
            for index, place in blocks.each(shape, strides, block, start):
                if place is not None:
                    memory[place] = combine(memory[place : place + 1], value[index].reshape(1))[0]
        return [memory.view(elements.dtype_of(element))]

    memory = blocks.data(element, blocks.extent(shape, strides), 5) if old is None else old
    values = blocks.data(element, count * len(STARTS), 6) if new is None else new
    text = module([f"%x: !tt.ptr<{element}>", f"%v: !tt.ptr<{element}>"], text.lines)
    return Case(f"{kind} {sign}{element}", text, [InOut(memory), In(values)], reference=reference, gpu=why(element, kind, sign))


def why(element, kind, sign):
    """Triton 3.6 has reductions of 32 and 64 bits, and of small floats; those of bits of 64 fault on an H200."""
    if element in ("i8", "i16", "f64") or kind in ("inc", "dec") or (element == "i64" and sign != "u" and kind == "add"):
        return "Triton refuses the type"
    return "the H200 faults" if element == "i64" and kind in BITWISE and sign != "u" else True


def small(element, seed):
    """Floats without specials: sums that are rounded."""
    random = np.random.Generator(np.random.PCG64(seed))
    return (random.standard_normal(1024) * 2.0 ** random.integers(-4, 5, 1024)).astype(elements.dtype_of(element))


def counters(seed):
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 4, 1024, np.uint32).view(np.int32)


def rounded(operation, element):
    """In float64, then once to the type: exact for f16 and bf16, whose sums of two fit."""
    if element == "f64":
        return operation
    dtype = elements.dtype_of(element)
    return lambda a, b: operation(a.astype(np.float64), b.astype(np.float64)).astype(dtype)


def extreme(operation, element):
    """A NaN loses, and -0 is below +0: as an H200 answers."""

    def combine(a, b):
        a, b = a.astype(np.float64), b.astype(np.float64)
        zeros = np.where(np.signbit(a) & np.signbit(b) if operation is np.fmax else np.signbit(a) | np.signbit(b), -0.0, 0.0)
        return np.where((a == 0) & (b == 0), zeros, operation(a, b)).astype(elements.dtype_of(element))

    return combine


def specials(element, kind, combine, size):
    pick = np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 3e-7, float(elements.FORMAT[element].largest)]).astype(elements.dtype_of(element))
    case = reduces(element, kind, combine, old=np.resize(np.repeat(pick, 7), size), new=np.resize(pick, 640))
    case.name += " specials"
    return case


def subnormals(size):
    tiny = np.array([1e-40, -1e-40, 1e-45, 1.1754944e-38, -1.1754942e-38, 0.0, -0.0], np.float32)
    case = reduces("f32", "add", rounded(np.add, "f32"), old=np.resize(np.repeat(tiny, 5), size), new=np.resize(tiny, 640))
    case.name += " subnormals"
    return case


def cases():
    for element in ("i8", "i16", "i32", "i64"):
        for kind, combine in BITWISE.items():
            yield reduces(element, kind, combine)
            yield reduces(element, kind, combine, "u")
        for sign in ("", "s", "u"):
            yield reduces(element, "add", np.add, sign)
            for kind, combine in ORDER.items():
                yield reduces(element, kind, combine, sign)
    size = blocks.extent(*LAYOUT[:2])
    for kind, combine in (("inc", increment), ("dec", decrement)):
        yield reduces("i32", kind, combine, old=counters(1)[:size], new=counters(2)[:640])
        yield reduces("i32", kind, combine, sign="u")
    for element in ("f16", "bf16", "f32", "f64"):
        yield reduces(element, "add", rounded(np.add, element), old=small(element, 1)[:size], new=small(element, 2)[:640])
    yield subnormals(size)
    for element in ("f16", "bf16"):
        yield specials(element, "add", rounded(np.add, element), size)
        yield specials(element, "min", extreme(np.fmin, element), size)
        yield specials(element, "max", extreme(np.fmax, element), size)
        for kind, combine in ORDER.items():
            yield reduces(element, kind, rounded(combine, element), old=small(element, 1)[:size], new=small(element, 2)[:640])
