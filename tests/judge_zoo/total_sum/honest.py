# accepted: partial sums, joined by torch
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial_kernel(x, partial, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(partial + row, tl.sum(tl.load(x + row * columns + at, mask=at < columns, other=0.0), 0))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        partial = torch.empty(x.shape[0], device=x.device)
        partial_kernel[(x.shape[0],)](x, partial, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return partial.sum()
