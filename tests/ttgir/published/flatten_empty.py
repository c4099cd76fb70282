# triton-lang/triton#11656: a loop inside, empty because its bounds are inverted, runs once for each round of the loop outside.
# launch: --grid 1 out=empty:i32[1] first=5 last=3
# wrong: fuse-nested-loops outside
# in: 3.5 3.6 3.7 3.8
# not in: 3.9
import triton
import triton.language as tl


@triton.jit
def flatten_empty(out, first, last):
    count = tl.full((), 0, tl.int32)
    for _ in tl.range(0, 4, flatten=True):
        for _ in tl.range(first, last):
            count += 1
    tl.store(out, count)
