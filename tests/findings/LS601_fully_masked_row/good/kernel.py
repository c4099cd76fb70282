# args: run {file}::masked_softmax --grid 6 --check all scores=randn:f32[6,32] lengths=arange:i32[6] out=zeros:f32[6,32] width=32 BLOCK=32
"""Where nothing is admitted the maximum counts as 0 and the row becomes zeros."""

import triton
import triton.language as tl


@triton.jit
def masked_softmax(scores, lengths, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    length = tl.load(lengths + row)
    x = tl.load(scores + row * width + columns, mask=columns < length, other=float("-inf"))
    most = tl.max(x, axis=0)
    x = x - tl.where(most == float("-inf"), 0.0, most)
    p = tl.exp(x)
    tl.store(out + row * width + columns, p / tl.maximum(tl.sum(p, axis=0), 1e-20), mask=columns < width)
