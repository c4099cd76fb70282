# triton-lang/triton#11601: the bound of the loop inside is read although the loop outside is empty.
# launch: --grid 1 x=randn:f32[64] out=empty:f32[32] bound=arange:i32[0] rows=0 BLOCK=32
# wrong: fuse-nested-loops finding LS101
# in: 3.6 3.7 3.8 3.9
import triton
import triton.language as tl


@triton.jit
def flatten_bound(x, out, bound, rows, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for _ in tl.range(0, rows, flatten=True):
        last = tl.load(bound)
        for j in tl.range(0, last):
            total += tl.load(x + j * BLOCK + lanes)
    tl.store(out + lanes, total)
