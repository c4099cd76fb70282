# accepted: one program
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def square_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        mask = start + at < n
        d = tl.load(x + start + at, mask=mask, other=0.0) - tl.load(y + start + at, mask=mask, other=0.0)
        total += d * d
    tl.store(out, tl.sum(total, 0) / n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        out = torch.empty((), device=x.device)
        square_kernel[(1,)](x, y, out, x.numel(), BLOCK=64)
        return out
