# accepted: one row a program
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_kernel(x, weight, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other=0.0)
    w = tl.load(weight + at, mask=mask, other=0.0)
    mean = tl.sum(v * v, 0) / columns
    tl.store(out + row * columns + at, v * tl.rsqrt(mean + 1e-6) * w, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(columns))

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        rms_kernel[(x.shape[0],)](x, self.weight, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
