# triton-lang/triton#11305 (2): a product of sums starts with the neutral element of the sum, and is 0.
# launch: --grid 1 x=rand:f32[2,16,256] out=empty:f32[16] steps=2 ROWS=16 COLUMNS=256
# wrong: optimize-thread-locality outside
# in: 3.5 3.6 3.7 3.8 3.9
import triton
import triton.language as tl


@triton.jit
def locality_product(x, out, steps, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    product = tl.full((ROWS,), 1.0, dtype=tl.float32)
    for i in tl.range(0, steps):
        tile = tl.load(x + i * ROWS * COLUMNS + row[:, None] * COLUMNS + column[None, :])
        product = product * tl.sum(tile, axis=1)
    tl.store(out + row, product)
