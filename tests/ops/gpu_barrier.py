"""gpu.barrier: what a program stored before it, all of the program's loads after it see."""

import numpy as np
from support import kernels, values
from support.case import Case, In, InOut, Out


def reversed_through_memory(size, barrier="gpu.barrier", **options):
    """Stores a tile, waits, and loads it from the other end."""
    lines = kernels.offsets((size,)) + kernels.load("a", "i32", (size,)) + kernels.pointers("t", "i32", (size,))
    tile, pointer = f"tensor<{size}xi32>", f"tensor<{size}x!tt.ptr<i32>>"
    lines += [
        f"tt.store %t_at, %a : {pointer}",
        barrier,
        f"%last = arith.constant dense<{size - 1}> : {tile}",
        f"%back = arith.subi %last, %range : {tile}",
        f"%place = arith.addi %part_start, %back : {tile}",
        f"%other_at = tt.addptr %t_base, %place : {pointer}, {tile}",
        f"%r = tt.load %other_at : {pointer}",
        *kernels.store("r", "i32", (size,)),
    ]
    text = kernels.module([f"%{name}_ptr: !tt.ptr<i32>" for name in "atr"], lines)
    a = values.integers("i32", 4 * size, 2)

    def reference(arrays):
        return [arrays[0], arrays[0].reshape(4, size)[:, ::-1]]

    return Case(f"reversed_{size}", text, [In(a), InOut(np.zeros_like(a)), Out(a.shape, "i32")], (4, 1, 1), reference, **options)


def alone():
    lines = ["gpu.barrier", "%r = arith.addi %a, %a : TILE(i32)", "gpu.barrier"]
    return kernels.elementwise("alone", lines, {"a": values.integers("i32", 256)}, {"r": "i32"}, lambda a: a + a, (64,))


def cases():
    yield reversed_through_memory(64)
    yield reversed_through_memory(1024)
    yield alone()
