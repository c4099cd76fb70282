# args: run {file}::momentum --grid 2 --fail-on warning --check lanes g=randn:f32[64] state=randn:f32[64] scale=ones:f32[2] step=3 B=32
"""Silent: the scale is stored once all lanes have loaded the old one, which their values were made from (in a branch)."""

import triton
import triton.language as tl


@triton.jit
def momentum(g, state, scale, step, B: tl.constexpr):
    block = tl.program_id(0) * B
    i = block + tl.arange(0, B)
    gradient = tl.load(g + i)
    old = tl.load(state + i) * tl.load(scale + i // B)
    if step == 1:
        new = gradient
    else:
        new = old * 0.9 + gradient
    largest = tl.max(tl.reshape(tl.abs(new), [1, B]), axis=1)
    tl.store(state + i, new / largest)
    tl.store(scale + tl.program_id(0) + tl.arange(0, 1), largest)
