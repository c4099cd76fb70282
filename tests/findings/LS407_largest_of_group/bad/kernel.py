# args: run {file}::largest --grid 1 --check quick,lanes "best=full(-1.0):f32[8]" "group=randint(0,8):i32[64]" x=randn:f32[64] limit=0.5 BLOCK=64
"""Each lane keeps the larger of its group's best and its own value; of lanes that share a group one is kept."""

import triton
import triton.language as tl


@triton.jit
def largest(best, group, x, limit, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    g = tl.load(group + i)
    tl.store(best + g, tl.maximum(tl.load(best + g), tl.load(x + i)))
