# args: run {file}::convolve --grid 4 --check all --fail-on warning x=randn:f32[4,64] taps=randn:f32[3] out=zeros:f32[4,64] N=64 --expect out=@{folder}/../reference.npy
"""A causal convolution with three taps. The third reads what lies three before, not two."""

import triton
import triton.language as tl


@triton.jit
def convolve(x, taps, out, N: tl.constexpr):
    row = tl.program_id(0) * N
    columns = tl.arange(0, N)
    now = tl.load(x + row + columns)
    before = tl.load(x + row + columns - 1, mask=columns >= 1, other=0.0)
    far = tl.load(x + row + columns - 3, mask=columns >= 3, other=0.0)
    tl.store(out + row + columns, now * tl.load(taps) + before * tl.load(taps + 1) + far * tl.load(taps + 2))
