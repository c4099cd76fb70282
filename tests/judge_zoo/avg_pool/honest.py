# accepted: padding counts
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other=0.0)
    before = tl.load(x + row * columns + at - 1, mask=mask & (at > 0), other=0.0)
    after = tl.load(x + row * columns + at + 1, mask=at + 1 < columns, other=0.0)
    tl.store(out + row * columns + at, (before + v + after) / 3, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, columns = x.shape
        out = torch.empty_like(x)
        row_kernel[(rows,)](x, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out
