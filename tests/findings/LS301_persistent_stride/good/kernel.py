# args: run {file}::scale_rows --check all --fail-on info --grid 8 x=randn:f32[32,64] out=zeros:f32[32,64] n=32 PROGRAMS=8 N=64
"""Grid and stride agree."""

import triton
import triton.language as tl


@triton.jit
def scale_rows(x, out, n, PROGRAMS: tl.constexpr, N: tl.constexpr):
    for row in range(tl.program_id(0), n, PROGRAMS):
        tl.store(out + row * N + tl.arange(0, N), tl.load(x + row * N + tl.arange(0, N)) * 2)
