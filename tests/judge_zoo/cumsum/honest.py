# accepted: a scan
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
    tl.store(out + row * columns + at, tl.cumsum(v, 0), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, columns = x.shape
        out = torch.empty_like(x)
        row_kernel[(rows,)](x, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out
