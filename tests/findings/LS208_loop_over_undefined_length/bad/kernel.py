# args: run {file}::sum_segments --check all --grid "n + 1" lengths=ones:i32[6] x=ones:f32[64] out=zeros:f32[7] n=6
"""How often the loop of the last program turns is decided by a length that was masked off."""

import triton
import triton.language as tl


@triton.jit
def sum_segments(lengths, x, out, n):
    segment = tl.program_id(0)
    length = tl.load(lengths + segment, mask=segment < n)
    total = 0.0
    for i in range(length):
        total += tl.load(x + segment * 8 + i)
    tl.store(out + segment, total)
