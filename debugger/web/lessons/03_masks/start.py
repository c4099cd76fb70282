import triton
import triton.language as tl


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, 2 * tl.load(x + index))
