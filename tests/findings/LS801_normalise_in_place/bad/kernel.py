# args: run {file}::normalise --fail-on info --check all --grid rows x=rand:f32[4,64] rows=4 BLOCK=64
"""Rows are divided by their largest element where they lie; benchmarked, it divides what it divided before."""

import triton
import triton.language as tl


@triton.jit
def normalise(x, rows, BLOCK: tl.constexpr):
    place = x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(place)
    tl.store(place, value / (tl.max(value) + 1.0))
