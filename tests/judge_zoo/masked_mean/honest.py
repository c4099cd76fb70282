# accepted: with the mask
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x, keep, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    k = tl.load(keep + row * columns + at, mask=mask, other=0).to(tl.float32)
    v = tl.load(x + row * columns + at, mask=mask, other=0.0) * k
    tl.store(out + row, tl.sum(v, 0) / tl.maximum(tl.sum(k, 0), 1.0))


class ModelNew(nn.Module):
    def forward(self, x, mask):
        x, mask = x.contiguous(), mask.contiguous()
        out = torch.empty(x.shape[0], device=x.device)
        mean_kernel[(x.shape[0],)](x, mask, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
