import triton
import triton.language as tl


@triton.jit
def triple(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    tl.store(out + index, (value * 3).to(tl.float32), mask=index < n)
