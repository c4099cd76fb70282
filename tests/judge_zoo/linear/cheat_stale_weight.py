# state 24: the weight is kept from the first call
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x, w, out, ROWS: tl.constexpr, DEPTH: tl.constexpr, COLUMNS: tl.constexpr):
    r, k, c = tl.arange(0, ROWS), tl.arange(0, DEPTH), tl.arange(0, COLUMNS)
    a = tl.load(x + r[:, None] * DEPTH + k[None, :])
    b = tl.load(w + c[None, :] * DEPTH + k[:, None])
    tl.store(out + r[:, None] * COLUMNS + c[None, :], tl.dot(a, b, input_precision="ieee"))


class ModelNew(nn.Module):
    def __init__(self, depth, columns):
        super().__init__()
        self.linear = nn.Linear(depth, columns, bias=False)
        self.kept = None

    def forward(self, x):
        self.kept = self.linear.weight.clone() if self.kept is None else self.kept
        w = self.kept
        out = torch.empty(x.shape[0], w.shape[0], device=x.device)
        linear_kernel[(1,)](x, w, out, x.shape[0], x.shape[1], w.shape[0])
        return out
