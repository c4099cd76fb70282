# accepted: weight and bias are packed once for their version
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other=0.0)
    mean = tl.sum(v, 0) / columns
    d = tl.where(mask, v - mean, 0.0)
    variance = tl.sum(d * d, 0) / columns
    w = tl.load(weight + at, mask=mask, other=0.0)
    b = tl.load(weight + columns + at, mask=mask, other=0.0)
    tl.store(out + row * columns + at, d * tl.rsqrt(variance + eps) * w + b, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.norm = nn.LayerNorm(columns)
        self.packed, self.key = None, None

    def forward(self, x):
        key = (self.norm.weight.data_ptr(), self.norm.weight._version, self.norm.bias._version)
        if key != self.key:
            self.packed, self.key = torch.cat([self.norm.weight, self.norm.bias]), key
        out = torch.empty_like(x)
        rows, columns = x.shape
        layernorm_kernel[(rows,)](x, self.packed, out, columns, self.norm.eps, BLOCK=triton.next_power_of_2(columns))
        return out
