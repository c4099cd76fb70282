# accepted: both halves
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swiglu_kernel(x, out, columns, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < half
    a = tl.load(x + row * columns + at, mask=mask, other=0.0)
    b = tl.load(x + row * columns + half + at, mask=mask, other=0.0)
    tl.store(out + row * half + at, a * tl.sigmoid(a) * b, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        half = x.shape[1] // 2
        out = torch.empty(x.shape[0], half, device=x.device)
        swiglu_kernel[(x.shape[0],)](x, out, x.shape[1], half, BLOCK=triton.next_power_of_2(half))
        return out
