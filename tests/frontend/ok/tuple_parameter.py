"""Kernel parameters that are tuples, nested ones too, read by index and passed on."""
# spec: t=(*fp32,(*i32,i32),*fp32) n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def total(pair, lanes):
    return tl.load(pair[0] + lanes) + pair[1]


@triton.jit
def kernel(t, n, B: tl.constexpr):
    lanes = tl.arange(0, B)
    source, pair, target = t
    value = tl.load(source + lanes) + total(t[1], lanes)
    for i in tl.static_range(0, len(t)):
        value += i
    tl.store(t[2] + lanes, value, mask=lanes < n)
