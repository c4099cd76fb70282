import triton
import triton.language as tl


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        index = tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + index, mask=index < columns, other=0.0)
    tl.store(out + row, tl.sum(total, axis=0))
