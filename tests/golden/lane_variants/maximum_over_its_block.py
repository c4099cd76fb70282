# args: run {file}::rescale --grid 4 --fail-on warning --check lanes q=rand:f32[256] absmax=ones:f32[4] B=64
"""Silent: what is stored over the scale is a maximum, for which every lane has loaded the scale."""

import triton
import triton.language as tl


@triton.jit
def rescale(q, absmax, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(q + i) * tl.load(absmax + i // B)
    most = tl.max(tl.abs(value), axis=0)
    tl.store(absmax + tl.program_id(0) + tl.arange(0, 1), most.broadcast_to([1]))
