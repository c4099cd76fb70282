# accepted: atomics
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def count_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.atomic_add(out + tl.load(x + at, mask=mask, other=0), 1, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, bins):
        super().__init__()
        self.bins = bins

    def forward(self, x):
        out = torch.zeros(self.bins, dtype=torch.int64, device=x.device)
        count_kernel[(triton.cdiv(x.numel(), 32),)](x.contiguous(), out, x.numel(), BLOCK=32)
        return out
