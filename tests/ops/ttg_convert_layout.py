"""ttg.convert_layout: the same elements, held by other threads; a result is its source."""

import numpy as np
from support import kernels, values
from support.case import Case, In, Out

BLOCKED = "#ttg.blocked<{{sizePerThread = [{}], threadsPerWarp = [32], warpsPerCTA = [{}], order = [0]}}>"
FROM, TO = BLOCKED.format(1, 4), BLOCKED.format(4, 4)
MODULE = '"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32'
GPU = "only Triton's own compiler takes layouts"


def converted(element, size):
    def tile(of, layout):
        return f"tensor<{size}x{of}, {layout}>"

    lines = [
        "%program = tt.get_program_id x : i32",
        f"%block = arith.constant {size} : i32",
        "%first = arith.muli %program, %block : i32",
        f"%range = tt.make_range {{end = {size} : i32, start = 0 : i32}} : {tile('i32', FROM)}",
        f"%start = tt.splat %first : i32 -> {tile('i32', FROM)}",
        f"%offset = arith.addi %start, %range : {tile('i32', FROM)}",
    ]
    pointer = f"!tt.ptr<{element}>"
    for name in "ar":
        lines.append(f"%{name}_base = tt.splat %{name}_ptr : {pointer} -> {tile(pointer, FROM)}")
        lines.append(f"%{name}_at = tt.addptr %{name}_base, %offset : {tile(pointer, FROM)}, {tile('i32', FROM)}")
    lines += [
        f"%a = tt.load %a_at : {tile(pointer, FROM)}",
        f"%r = ttg.convert_layout %a : {tile(element, FROM)} -> {tile(element, TO)}",
        f"%to = ttg.convert_layout %r_at : {tile(pointer, FROM)} -> {tile(pointer, TO)}",
        f"tt.store %to, %r : {tile(pointer, TO)}",
    ]
    text = kernels.module([f"%{name}_ptr: {pointer}" for name in "ar"], lines)
    text = text.replace("module {", f"module attributes {{{MODULE}}} {{", 1)
    a = values.integers(element, 4 * size) if element.startswith("i") else values.floats(element, 4 * size)
    return Case(f"{element}_{size}", text, [In(a), Out(a.shape, element)], (4, 1, 1), lambda arrays: [np.array(arrays[0])], gpu=GPU)


def cases():
    yield converted("i32", 128)
    yield converted("i64", 512)
    yield converted("f32", 256)
