# accepted: two passes
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
    mean = tl.sum(v, 0) / columns
    d = tl.where(mask, v - mean, 0.0)
    variance = tl.sum(d * d, 0) / columns
    tl.store(out + row * columns + at, v + 0.001 * d * tl.rsqrt(variance + 1e-5), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, columns = x.shape
        out = torch.empty_like(x)
        row_kernel[(rows,)](x, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out
