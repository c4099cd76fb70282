# precision 14: operands of 16 bits
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x, w, out, ROWS: tl.constexpr, DEPTH: tl.constexpr, COLUMNS: tl.constexpr):
    r, k, c = tl.arange(0, ROWS), tl.arange(0, DEPTH), tl.arange(0, COLUMNS)
    a = tl.load(x + r[:, None] * DEPTH + k[None, :])
    b = tl.load(w + c[None, :] * DEPTH + k[:, None])
    tl.store(out + r[:, None] * COLUMNS + c[None, :], tl.dot(a.to(tl.bfloat16), b.to(tl.bfloat16), input_precision="ieee"))


class ModelNew(nn.Module):
    def __init__(self, depth, columns):
        super().__init__()
        self.linear = nn.Linear(depth, columns, bias=False)

    def forward(self, x):
        w = self.linear.weight
        out = torch.empty(x.shape[0], w.shape[0], device=x.device)
        linear_kernel[(1,)](x, w, out, x.shape[0], x.shape[1], w.shape[0])
        return out
