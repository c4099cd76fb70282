# accepted: one loop over the steps
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scan_kernel(x, gate, out, steps, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < columns
    state = tl.zeros((BLOCK,), tl.float32)
    for i in range(steps):
        g = tl.load(gate + i * columns + at, mask=mask, other=0.0)
        state = g * state + tl.load(x + i * columns + at, mask=mask, other=0.0)
        tl.store(out + i * columns + at, state, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x, gate):
        x, gate = x.contiguous(), gate.contiguous()
        out = torch.empty_like(x)
        scan_kernel[(1,)](x, gate, out, x.shape[0], x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
