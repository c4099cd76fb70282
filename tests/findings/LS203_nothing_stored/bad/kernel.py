# args: run {file}::copy --grid 4 --check all --fail-on warning x=arange:f32[250] o=empty:f32[250] n=250 BLOCK=64
"""The comparison is the wrong way round, and the grid is no larger than it must be: no lane stores."""

import triton
import triton.language as tl


@triton.jit
def copy(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(o + i, value, mask=i - BLOCK > n)
