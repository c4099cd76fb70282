# triton-lang/triton#11519: the pass takes a tl.assume of another branch for true, and the loop inside is never empty.
# launch: --grid 1 x=randn:f32[64] out=zeros:f32[128] rows=2 columns=0 BLOCK=32
# wrong: fuse-nested-loops finding LS101
# in: 3.6 3.7 3.8
# not in: 3.5 3.9
import triton
import triton.language as tl


@triton.jit
def flatten_assume(x, out, rows, columns, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    if rows == 0:
        tl.assume(columns > 0)
        total += tl.load(x + lanes)
    else:
        for i in tl.range(0, rows, flatten=True):
            for j in range(0, columns):
                total += tl.load(x + j * BLOCK + lanes)
                tl.store(out + (i * 4 + j) * BLOCK + lanes, total)
    tl.store(out + lanes, total)
