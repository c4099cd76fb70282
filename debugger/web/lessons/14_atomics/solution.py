import triton
import triton.language as tl


@triton.jit
def histogram(x, bins, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index)
    tl.atomic_add(bins + value, 1)
