# args: run {file}::multiply --grid 4,4 --check all --fail-on warning a=randn:f32[64,32] b=randn:f32[32,64] out=zeros:f32[64,64] N=64 K=32 BLOCK=16 --expect out=@{folder}/../reference.npy
"""A matrix product by tiles."""

import triton
import triton.language as tl


@triton.jit
def multiply(a, b, out, N: tl.constexpr, K: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    rows = tl.program_id(0) * BLOCK + lanes
    columns = tl.program_id(1) * BLOCK + lanes
    acc = tl.zeros([BLOCK, BLOCK], tl.float32)
    for start in range(0, K, BLOCK):
        left = tl.load(a + rows[:, None] * K + (start + lanes)[None, :])
        right = tl.load(b + (start + lanes)[:, None] * N + columns[None, :])
        acc += tl.dot(left, right, input_precision="ieee")
    below = tl.program_id(0) * BLOCK + lanes
    across = tl.program_id(1) * BLOCK + lanes
    tl.store(out + below[:, None] * N + across[None, :], acc)
