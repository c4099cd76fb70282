# accepted: four taps
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_kernel(x, taps, out, columns, BLOCK: tl.constexpr):
    step = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    total = tl.zeros((BLOCK,), tl.float32)
    for i in tl.static_range(4):
        there = step - 3 + i
        v = tl.load(x + there * columns + at, mask=mask & (there >= 0), other=0.0)
        total += v * tl.load(taps + i * columns + at, mask=mask, other=0.0)
    tl.store(out + step * columns + at, total, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.taps = nn.Parameter(torch.randn(4, columns))

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        conv_kernel[(x.shape[0],)](x, self.taps, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
