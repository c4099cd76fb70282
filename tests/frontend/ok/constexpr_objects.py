"""What stands in a constexpr and is no number: tensors, members of PropagateNan; and what tl.condition gives."""
# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def larger(a, b, which: tl.constexpr):
    return tl.maximum(a, b, propagate_nan=which)


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    count: tl.constexpr = n * B
    for i in range(count):
        tl.store(o + i, i)
    plain = count
    pair = (count, n)
    tl.store(o, plain * 2 + pair[0] * 3)
    tl.store(o + 1, count.to(tl.int64) + tl.cast(count, tl.int64))
    n += count
    while tl.condition(n < 3, n):
        n += 1
    while tl.condition(arg1=n < 5, disable_licm=True):
        n += 2
    while tl.condition(n < 7, disable_licm=False):
        n += 3
    which: tl.constexpr = tl.PropagateNan.ALL
    tl.static_assert(which != tl.PropagateNan.NONE and which != 65535)
    tl.static_print("plain", plain, which, sep=None, end=None, flush=True)
    if which == tl.PropagateNan.ALL:
        tl.store(x, larger(n * 0.5, 2.0, which))
    tl.store(x + 1, tl.clamp(n * 0.5, 2.0, 3.0, propagate_nan=which))
    tl.store(x + 2, tl.minimum(n * 0.5, 2.0, propagate_nan=tl.PropagateNan.NONE))
    tl.store(o + 2, tl.minimum(n, 2, propagate_nan=7))
