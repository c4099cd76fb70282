# accepted: any number of rows
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x, out, rows, columns, BLOCK: tl.constexpr):
    column = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, rows, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at * columns + column, mask=at < rows, other=0.0)
    tl.store(out + column, tl.sum(total, 0) / rows)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[1], device=x.device)
        mean_kernel[(x.shape[1],)](x, out, x.shape[0], x.shape[1], BLOCK=32)
        return out
