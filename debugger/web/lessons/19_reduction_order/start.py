import triton
import triton.language as tl


@triton.jit
def add_all(base, x, out, n, BLOCK: tl.constexpr):
    total = tl.load(base)
    for i in range(n):
        total += tl.load(x + i)
    tl.store(out, total)
