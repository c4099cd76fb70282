import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, BLOCK)
    a_tile = a + row[:, None] * K + k[None, :]
    b_tile = b + k[:, None] * N + column[None, :]
    total = tl.zeros([BLOCK, BLOCK], dtype=tl.float32)
    for _ in range(0, K, BLOCK):
        total = tl.dot(tl.load(a_tile), tl.load(b_tile), total, input_precision="ieee")
        a_tile += BLOCK
        b_tile += BLOCK * N
    tl.store(c + row[:, None] * N + column[None, :], total)
