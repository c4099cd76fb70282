# triton-lang/triton#11836: a sum that the loop also stores while it runs is stored as 0.
# launch: --grid 1 x=rand:f32[4,16,256] seen=empty:f32[4,16] out=empty:f32[16] steps=4 ROWS=16 COLUMNS=256
# wrong: optimize-thread-locality outside
# in: 3.5 3.6 3.7 3.8
# not in: 3.9
import triton
import triton.language as tl


@triton.jit
def locality_snapshot(x, seen, out, steps, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    for i in tl.range(0, steps):
        tile = tl.load(x + i * ROWS * COLUMNS + row[:, None] * COLUMNS + column[None, :])
        tl.store(seen + i * ROWS + row, total)
        total = total + tl.sum(tile, axis=1)
    tl.store(out + row, total)
