"""Report 2: scalar arguments and loop variables are tensors: they have shape, dtype and to(), and promote as such."""

import torch
import triton
import triton.language as tl


@triton.jit
def shapes_of_scalars(x, out, scale, n, BLOCK: tl.constexpr):
    value = tl.load(x)
    start = tl.full(value.shape, 1.0, value.dtype)  # a scalar's shape is ()
    for step in range(n):
        wide = step.to(tl.int64)
        start += (wide + step).to(tl.float32) * scale.to(tl.float32)
    index = tl.arange(0, BLOCK)
    tl.store(out + index, start + (n + scale).to(tl.float32) + index.to(scale.dtype))


@triton.jit
def half_times_scalar(x, out, scale, BLOCK: tl.constexpr):
    """float16 times a float argument is float32: 3000 * 30 does not overflow on the way."""
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index) * scale / scale)


@triton.jit
def truncating(out, n):
    for i in range(n):
        tl.store(out + i, (i - 3) // 2)


out = torch.zeros(4, device="cuda")
shapes_of_scalars[(1,)](torch.zeros(1, device="cuda"), out, 0.5, 4, BLOCK=4)
assert out.tolist() == [1 + 6 + 4.5 + i for i in range(4)], out

x = torch.full((8,), 3000.0, dtype=torch.float16, device="cuda")
half = torch.zeros_like(x)
half_times_scalar[(1,)](x, half, 30.0, BLOCK=8)
assert torch.equal(x, half), half

whole = torch.zeros(6, dtype=torch.int32, device="cuda")
truncating[(1,)](whole, 6)
assert whole.tolist() == [-1, -1, 0, 0, 0, 1], whole

# fla: (i_b * T).to(tl.int64) of a program id and an argument, tl.load(...).to(tl.int64), loop variables of range
from fla.ops.utils import chunk_global_cumsum

g = torch.randn(2, 100, 3, device="cuda")
assert (chunk_global_cumsum(g) - g.double().cumsum(1)).abs().max() < 1e-4
flat = torch.randn(1, 100, 3, device="cuda")
ends = torch.tensor([0, 17, 60, 100], device="cuda")
parts = torch.cat(
    [flat[:, a:b].double().cumsum(1) for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)], 1
)
assert (chunk_global_cumsum(flat, cu_seqlens=ends) - parts).abs().max() < 1e-4

from fla.modules.l2norm import l2norm

v = torch.randn(3, 70, 40, dtype=torch.bfloat16, device="cuda")
reference = v.double() / (v.double().square().sum(-1, keepdim=True) + 1e-6).sqrt()
assert (l2norm(v).double() - reference).abs().max() < 2**-8
print("promoted")
