# accepted: a workspace that is reset
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def split_kernel(x, out, columns, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    at = part * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    tl.atomic_add(out + row, tl.sum(v * v, 0))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.space = {}

    def forward(self, x):
        x = x.contiguous()
        out = self.space.setdefault(x.shape, torch.zeros(x.shape[0], device=x.device))
        out.zero_()
        split_kernel[(x.shape[0], triton.cdiv(x.shape[1], 32))](x, out, x.shape[1], BLOCK=32)
        return out.clone()
