"""fp8e4b15 in both directions, on bit patterns."""

import triton
import triton.language as tl


@triton.jit
def narrow(x, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    half = tl.load(x + i).to(tl.float16, bitcast=True)
    tl.store(out + i, half.to(tl.float8e4b15).to(tl.uint8, bitcast=True))


@triton.jit
def widen(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i).to(tl.float8e4b15, bitcast=True)
    tl.store(out + i, value.to(tl.float16).to(tl.uint16, bitcast=True))
