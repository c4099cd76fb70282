"""tt.atomic_cas: memory becomes the new value where its bits are the expected ones; -0.0 is not 0.0, and a NaN is itself (S-64)."""

import numpy as np
from support import blocks, elements
from support.blocks import Text
from support.case import Case, In, InOut, Out
from support.kernels import module, tile

NOT_PROMISED = "the order of lanes of one address is not promised"


def cas(name, element, memory, expected, values, at=None, shape=None, order="acq_rel, gpu", gpu=True):
    count = len(values)
    at = np.arange(count) if at is None else np.array(at)
    shape = (count,) if shape is None else shape
    text, kind = Text(), tile(f"!tt.ptr<{element}>", shape)
    numbers = text.get("%at", "i32", shape, 0)
    wanted, value = text.get("%c", element, shape, 0), text.get("%v", element, shape, 0)
    base = text.new(f"tt.splat %x : !tt.ptr<{element}> -> {kind}")
    where = text.new(f"tt.addptr {base}, {numbers} : {kind}, {tile('i32', shape)}")
    of = tile(element, shape)
    old = text.new(f"tt.atomic_cas {order}, {where}, {wanted}, {value} : ({kind}, {of}, {of}) -> {of}")
    text.put("%o", element, shape, 0, old)
    parameters = [f"%x: !tt.ptr<{element}>", f"%c: !tt.ptr<{element}>", f"%v: !tt.ptr<{element}>", "%at: !tt.ptr<i32>", f"%o: !tt.ptr<{element}>"]

    def reference(inputs):
        x, c, v = (elements.bits(a) for a in inputs[:3])
        old = np.zeros_like(v)
        for lane, place in enumerate(at):
            old[lane] = x[place]
            if x[place] == c[lane]:
                x[place] = v[lane]
        dtype = elements.dtype_of(element)
        return [x.view(dtype), old.view(dtype)]

    arguments = [InOut(memory), In(expected), In(values), In(at.astype(np.int32)), Out((count,), element)]
    return Case(name, module(parameters, text.lines), arguments, reference=reference, gpu=gpu)


def half(element, count, seed):
    """Memory, expected values of which every second one is right, new values."""
    memory, other, new = (blocks.data(element, count, seed + i) for i in range(3))
    return memory, np.where(np.arange(count) % 2 == 0, memory, other), new


def scalar(element):
    memory, expected, new = half(element, 2, 7)
    text, pointer = Text(), f"!tt.ptr<{element}>"
    for number in range(2):
        at = [text.new(f"tt.addptr {p}, {text.constant('i32', number)} : {pointer}, i32") for p in ("%x", "%c", "%v", "%o")]
        wanted, value = (text.new(f"tt.load {p} : {pointer}") for p in at[1:3])
        old = text.new(f"tt.atomic_cas acq_rel, gpu, {at[0]}, {wanted}, {value} : ({pointer}, {element}, {element}) -> {element}")
        text.do(f"tt.store {at[3]}, {old} : {pointer}")
    parameters = [f"{p}: {pointer}" for p in ("%x", "%c", "%v", "%o")]
    reference = lambda inputs: [np.array([inputs[2][0], inputs[0][1]], inputs[0].dtype), inputs[0]]
    arguments = [InOut(memory), In(expected), In(new), Out((2,), element)]
    return Case(f"{element} scalar", module(parameters, text.lines), arguments, reference=reference)


def specials(element):
    pick = np.array([0.0, -0.0, np.nan, np.inf, 1.0]).astype(elements.dtype_of(element))
    a, b = np.meshgrid(pick, pick)
    memory, expected = np.resize(a.reshape(-1), 32), np.resize(b.reshape(-1), 32)
    return cas(f"{element} specials", element, memory, expected, np.full(32, 3, pick.dtype))


def pointers():
    """A table of pointers: the null is replaced, and the tensor that it then names is written through it."""
    kind = "!tt.ptr<f32>"
    lines = ["%no = arith.constant 0 : i64", f"%null = tt.int_to_ptr %no : i64 -> {kind}", "%two = arith.constant 2.0 : f32"]
    for number in range(2):  # the second finds the first one's pointer and leaves it
        lines += [f"%old{number} = tt.atomic_cas acq_rel, gpu, %t, %null, {('%x', '%y')[number]} : (!tt.ptr<{kind}>, {kind}, {kind}) -> {kind}"]
    lines += [f"%same = tt.ptr_to_int %old0 : {kind} -> i64", "tt.store %o, %same : !tt.ptr<i64>"]
    lines += [f"tt.store %old1, %two : {kind}"]
    parameters = [f"%t: !tt.ptr<{kind}>", f"%x: {kind}", f"%y: {kind}", "%o: !tt.ptr<i64>"]
    arguments = [In(np.zeros(1, np.int64)), Out((1,), "f32", 0), Out((1,), "f32", 0), Out((1,), "i64")]
    reference = lambda inputs: [np.array([2.0], np.float32), np.array([0.0], np.float32), np.array([0], np.int64)]
    return Case("pointers", module(parameters, lines), arguments, reference=reference, gpu="Triton swaps no pointers")


def cases():
    for element in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"):
        yield scalar(element)
        for shape in ((64,), (4, 16), (2, 2, 2, 2, 4)):
            yield cas(f"{element} {'x'.join(map(str, shape))}", element, *half(element, int(np.prod(shape)), len(shape)), shape=shape)
        yield cas(f"{element} backwards", element, *half(element, 64, 5), at=np.arange(64)[::-1])
        if elements.is_float(element):
            yield specials(element)
    yield pointers()
    chain = np.array([0, 1, 2, 5, 3, 3, 4, 0], np.int32)
    yield cas("one address", "i32", np.array([0], np.int32), chain, chain + 1, at=[0] * 8, gpu=NOT_PROMISED)
    for order in ("relaxed", "acquire", "release", "acq_rel"):
        for scope in ("gpu", "cta", "sys"):
            yield cas(f"{order} {scope}", "i32", *half("i32", 64, 9), order=f"{order}, {scope}")
