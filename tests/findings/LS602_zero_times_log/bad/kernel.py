# args: run {file}::log_ratio --grid "cdiv(n, BLOCK)" --check all p=arange:f32[40] q=ones:f32[40] out=zeros:f32[40] n=40 BLOCK=32
"""A term of a divergence: where p is 0 the logarithm is -inf, and 0 * -inf is NaN."""

import triton
import triton.language as tl


@triton.jit
def log_ratio(p, q, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    a = tl.load(p + index, mask=inside, other=1.0)
    b = tl.load(q + index, mask=inside, other=1.0)
    tl.store(out + index, a * tl.log(a / b), mask=inside)
