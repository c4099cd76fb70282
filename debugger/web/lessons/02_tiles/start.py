import triton
import triton.language as tl


@triton.jit
def add(x, y, out, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index) + tl.load(y + index))
