# args: run {file}::transpose --grid "cdiv(M, BM),cdiv(N, BN)" --check all x=randn:f32[64,60] out=zeros:f32[60,64] M=64 N=60 BM=32 BN=32
"""The columns are ragged, the rows are checked: what lies behind the row is read, and behind the tensor."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows, columns = tl.program_id(0) * BM, tl.program_id(1) * BN
    source = tl.make_block_ptr(x, (M, N), (N, 1), (rows, columns), (BM, BN), (1, 0))
    target = tl.make_block_ptr(out, (N, M), (M, 1), (columns, rows), (BN, BM), (1, 0))
    tl.store(target, tl.trans(tl.load(source, boundary_check=(0,))), boundary_check=(0, 1))
