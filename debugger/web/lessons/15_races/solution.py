import triton
import triton.language as tl


@triton.jit
def smooth(x, out, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + 1
    mean = (tl.load(x + index - 1) + tl.load(x + index) + tl.load(x + index + 1)) / 3
    tl.store(out + index, mean)
