import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK, BLOCK], dtype=tl.float32)
    for start in range(0, K, BLOCK):
        left = tl.load(a + row[:, None] * K + (start + k)[None, :], mask=(start + k)[None, :] < K, other=0.0)
        right = tl.load(b + (start + k)[:, None] * N + column[None, :], mask=(start + k)[:, None] < K, other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + row[:, None] * N + column[None, :], total)
