# args: run {file}::ramp --grid 1 --fail-on warning --check lanes zero=zeros:i16[1] counts=zeros:i16[10] B=8
"""Silent: neighbours store different words, but the half that they share is the same."""

import triton
import triton.language as tl


@triton.jit
def ramp(zero, counts, B: tl.constexpr):
    i = tl.arange(0, B)
    first = tl.load(zero).to(tl.int32)
    words = (counts + i).to(tl.pointer_type(tl.int32))
    tl.store(words, ((i + 1) << 16) + i + first)
