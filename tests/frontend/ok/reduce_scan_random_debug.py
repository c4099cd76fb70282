"""Reductions and scans with own functions, random numbers, printing, hints."""
# spec: x=*fp32 o=*fp32 n=i32 BLOCK=64
import triton
import triton.language as tl


@triton.jit
def _mul2(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def kernel(x, o, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK); a = tl.load(x + i)
    p, q = tl.associative_scan((a, a), 0, _mul2, reverse=True)
    rp, rq = tl.reduce((a, a), 0, _mul2)
    tl.device_print("hello", a, n); tl.device_print("hx", i, hex=True); tl.device_assert(a > 0, "neg"); tl.debug_barrier()
    tl.assume(n > 0); j = tl.multiple_of(i, 8); j = tl.max_contiguous(j, 8)
    assert n > 2, "n small"
    w = tl.rand(n, i) + tl.randn(n, i) + tl.randint(n, i)
    k2 = tl.swizzle2d(n, n, 4, 4, 2)
    tl.store(o + j, p + q + rp + rq + w + k2[0] + k2[1] + tl.softmax(a) + tl.sigmoid(a) + tl.cdiv(n, 3))
