# args: run {file}::double_rows --grid "cdiv(M, BM)" --check all x=randn:f32[100,64] out=zeros:f32[100,64] M=100 N=64 BM=32
"""The load checks the rows, too."""

import triton
import triton.language as tl


@triton.jit
def double_rows(x, out, M, N: tl.constexpr, BM: tl.constexpr):
    first = tl.program_id(0) * BM
    source = tl.make_block_ptr(x, (M, N), (N, 1), (first, 0), (BM, N), (1, 0))
    target = tl.make_block_ptr(out, (M, N), (N, 1), (first, 0), (BM, N), (1, 0))
    tile = tl.load(source, boundary_check=(0,))
    tl.store(target, tile * 2, boundary_check=(0,))
