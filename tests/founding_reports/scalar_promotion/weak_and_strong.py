# args: run {file}::weak_and_strong --grid 1 x=full(0.1):f16[1] out=zeros:f32[4] factor=3.3 --print out --expect out=@{folder}/weak_and_strong.npy
"""A literal takes the type of the tile (f16); assigned to a name, or passed as an argument, it is an f32 of its own."""

import triton
import triton.language as tl


@triton.jit
def weak_and_strong(x, out, factor):
    value = tl.load(x)
    tl.store(out, (value * 3.3).to(tl.float32))
    assigned = 3.3
    tl.store(out + 1, (value * assigned).to(tl.float32))
    tl.store(out + 2, (value * factor).to(tl.float32))
    grown = 1.0
    grown += 2.3
    tl.store(out + 3, (value * grown).to(tl.float32))
