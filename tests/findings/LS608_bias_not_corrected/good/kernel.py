# args: run {file}::adam --grid 4 --check all --fail-on warning w=randn:f32[512] g=randn:f32[512] m=zeros:f32[512] v=zeros:f32[512] out=zeros:f32[512] rate=0.01 beta1=0.9 beta2=0.999 fix1=0.1 fix2=0.001 eps=1e-8 BLOCK=128 --expect out=@{folder}/../reference.npy
"""The first step of Adam."""

import triton
import triton.language as tl


@triton.jit
def adam(w, g, m, v, out, rate, beta1, beta2, fix1, fix2, eps, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gradient = tl.load(g + index)
    first = beta1 * tl.load(m + index) + (1 - beta1) * gradient
    second = beta2 * tl.load(v + index) + (1 - beta2) * gradient * gradient
    step = (first / fix1) / (tl.sqrt(second / fix2) + eps)
    tl.store(out + index, tl.load(w + index) - rate * step)
