# accepted: atomics
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, index, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    target = tl.load(index + row)
    tl.atomic_add(out + target * columns + at, tl.load(x + row * columns + at, mask=mask, other=0.0), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x, index):
        x, index = x.contiguous(), index.contiguous()
        out = torch.zeros_like(x)
        add_kernel[(x.shape[0],)](x, index, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
