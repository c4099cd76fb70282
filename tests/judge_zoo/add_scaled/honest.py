# accepted: tanh by sigmoid
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    b = tl.load(y + at, mask=mask, other=0.0)
    t = 2.0 * tl.sigmoid(2.0 * b) - 1.0
    tl.store(out + at, tl.load(x + at, mask=mask, other=0.0) + 0.001 * t, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        out = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 64),)](x, y, out, x.numel(), BLOCK=64)
        return out
