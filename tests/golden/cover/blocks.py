# args: run {file}::copy --grid 3 x=arange:i32[40] middle=empty:i32[40] out=empty:i32[40] n=40 BLOCK=16 --cover
# args: run {file}::copy --grid 3 x=arange:i32[48] middle=empty:i32[48] out=empty:i32[48] n=48 BLOCK=16 --cover
"""The checked dimensions of a block pointer and the shape of a descriptor are masks: the first launch has a tail, the
second has none. An unchecked block has no mask."""

import triton
import triton.language as tl


@triton.jit
def copy(x, middle, out, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    source = tl.make_block_ptr(x, (n,), (1,), (start,), (BLOCK,), (0,))
    value = tl.load(source, boundary_check=(0,))
    tl.store(tl.make_block_ptr(middle, (n,), (1,), (start,), (BLOCK,), (0,)), value, boundary_check=(0,))
    first = tl.load(tl.make_block_ptr(x, (n,), (1,), (0,), (BLOCK,), (0,)))
    target = tl.make_tensor_descriptor(out, shape=[n], strides=[1], block_shape=[BLOCK])
    target.store([start], target.load([start]) * 0 + value + first)
