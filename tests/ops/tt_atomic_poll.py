"""tt.atomic_poll (Triton 3.9): waits until every lane has seen its expected value, or until its time is over. Time passes only when no
program can move (S-66)."""

import numpy as np
from support.blocks import Text
from support.case import Case, In, InOut, Out
from support.kernels import module, tile
from tt_atomic_load import NEWER


def scalar(element, timeout, right):
    pointer = f"!tt.ptr<{element}>"
    wait = " timeout %time" if timeout is not None else ""
    lines = [f"%time = arith.constant {timeout or 0} : i64", f"%e = arith.constant 5 : {element}"]
    lines += [f"%seen = tt.atomic_poll acquire, gpu, %x, %e{wait} : {pointer}, {element} -> i1", "%b = arith.extui %seen : i1 to i32", "tt.store %o, %b : !tt.ptr<i32>"]
    memory = np.array([5 if right else 4], f"i{int(element[1:]) // 8}")
    text = module([f"%x: {pointer}", "%o: !tt.ptr<i32>"], lines)
    reference = lambda inputs: [np.array([int(right)], np.int32)]
    name = f"{element} {'there' if right else 'never'} timeout {timeout}"
    return Case(name, text, [In(memory), Out((1,), "i32")], reference=reference, gpu=NEWER)


def lanes(element="i32"):
    """Lanes that see their value at once, and some that never do: the time is over for those only."""
    text, kind = Text(), tile(f"!tt.ptr<{element}>", (32,))
    at, wanted = text.places("%x", element, (32,), 0), text.get("%e", element, (32,), 0)
    time = text.constant("i64", 1000)
    seen = text.new(f"tt.atomic_poll relaxed, sys, {at}, {wanted} timeout {time} : {kind}, {tile(element, (32,))} -> tensor<32xi1>")
    wide = text.new(f"arith.extui {seen} : tensor<32xi1> to tensor<32xi32>")
    text.put("%o", "i32", (32,), 0, wide)
    memory, expected = np.arange(32, dtype=np.int32), np.where(np.arange(32) % 3 == 0, -1, np.arange(32)).astype(np.int32)
    parameters = [f"%x: !tt.ptr<{element}>", f"%e: !tt.ptr<{element}>", "%o: !tt.ptr<i32>"]
    reference = lambda inputs: [(inputs[0] == inputs[1]).astype(np.int32)]
    return Case("lanes", module(parameters, text.lines), [In(memory), In(expected), Out((32,), "i32")], reference=reference, gpu=NEWER)


def relay(backwards):
    """Each program waits for its neighbour's flag, adds to a sum and raises its own: forwards, and for programs still to come."""
    step = -1 if backwards else 1
    lines = [
        "%p = tt.get_program_id x : i32",
        "%one = arith.constant 1 : i32",
        f"%step = arith.constant {step} : i32",
        "%true = arith.constant true",
        "%mine = tt.addptr %flags, %p : !tt.ptr<i32>, i32",
        "%next = arith.addi %p, %step : i32",
        "%theirs = tt.addptr %flags, %next : !tt.ptr<i32>, i32",
        "%seen = tt.atomic_poll acquire, gpu, %mine, %one : !tt.ptr<i32>, i32 -> i1",
        "%sum = tt.load %total : !tt.ptr<i32>",
        "%two = arith.constant 2 : i32",
        "%twice = arith.muli %sum, %two : i32",
        "%more = arith.addi %twice, %p : i32",
        "tt.store %total, %more : !tt.ptr<i32>",
        "tt.atomic_store release, gpu, %theirs, %one, %true : !tt.ptr<i32>",
    ]
    flags, n = np.zeros(10, np.int32), 8
    first = 8 if backwards else 1
    flags[first] = 1
    text = module(["%base: !tt.ptr<i32>", "%total: !tt.ptr<i32>"], ["%c1 = arith.constant 1 : i32", "%flags = tt.addptr %base, %c1 : !tt.ptr<i32>, i32", *lines])

    def reference(inputs):
        total = 0
        for p in range(n)[::step]:
            total = 2 * total + p
        out = np.ones(10, np.int32)
        out[9 if backwards else 0] = 0
        return [out, np.array([total], np.int32)]

    return Case(f"relay {'backwards' if backwards else 'forwards'}", text, [InOut(flags), InOut(np.zeros(1, np.int32))], (n, 1, 1), reference, gpu=NEWER)


def for_ever():
    lines = ["%e = arith.constant 5 : i32", "%seen = tt.atomic_poll acquire, gpu, %x, %e : !tt.ptr<i32>, i32 -> i1"]
    output = lambda printed: None if "LS901" in printed and "x[0]" in printed else printed
    return Case("for ever", module(["%x: !tt.ptr<i32>"], lines), [In(np.zeros(1, np.int32))], exit_code=1, output=output, gpu="it would hang")


def cases():
    for element in ("i16", "i32", "i64"):
        for timeout in (None, 0, 1000):
            yield scalar(element, timeout, True)
            if timeout is not None:
                yield scalar(element, timeout, False)
    yield lanes()
    yield relay(False)
    yield relay(True)
    yield for_ever()
