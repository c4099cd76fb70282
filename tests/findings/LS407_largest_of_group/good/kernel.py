# args: run {file}::largest --grid 1 --check quick,lanes "best=full(-1.0):f32[8]" "group=randint(0,8):i32[64]" x=randn:f32[64] limit=0.5 BLOCK=64
"""The same number for all lanes of a group: whichever comes first, and whatever it loaded, it is the same."""

import triton
import triton.language as tl


@triton.jit
def largest(best, group, x, limit, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    g = tl.load(group + i)
    tl.store(best + g, tl.maximum(tl.load(best + g), limit))
