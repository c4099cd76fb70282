# accepted: without overflow
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def flat_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask, other=0.0)
    v = tl.maximum(v, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(v)))
    tl.store(out + at, v, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        flat_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), BLOCK=64)
        return out
