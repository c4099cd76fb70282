import triton
import triton.language as tl


@triton.jit
def running_total(x, out, n, BLOCK: tl.constexpr):
    carry = tl.full([], 0, tl.int32)
    for start in range(0, n, BLOCK):
        index = start + tl.arange(0, BLOCK)
        value = tl.load(x + index, mask=index < n, other=0)
        tl.store(out + index, carry + tl.cumsum(value, axis=0), mask=index < n)
        carry += tl.sum(value, axis=0)
