# args: run {file}::log_sum --grid 6 --check all --fail-on warning x=randn:f32[6,100] out=zeros:f32[6] n=100 BLOCK=32 --expect out=@{folder}/../reference.npy
"""Log of a sum of exponentials, block by block."""

import triton
import triton.language as tl


@triton.jit
def log_sum(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = float("-inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * n + columns, mask=columns < n, other=float("-inf"))
        now = tl.maximum(top, tl.max(value, axis=0))
        factor = tl.exp(top - now)
        total = total * factor + tl.sum(tl.exp(value - now), axis=0)
        top = now
    tl.store(out + row, top + tl.log(total))
