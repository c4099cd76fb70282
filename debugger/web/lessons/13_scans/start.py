import triton
import triton.language as tl


@triton.jit
def running_total(x, out, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        index = start + tl.arange(0, BLOCK)
        value = tl.load(x + index, mask=index < n, other=0)
        tl.store(out + index, tl.cumsum(value, axis=0), mask=index < n)
