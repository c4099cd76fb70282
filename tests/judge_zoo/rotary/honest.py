# accepted: positions as they come
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rotary_kernel(x, positions, rates, out, columns, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < half
    angle = tl.load(positions + row).to(tl.float32) * tl.load(rates + at, mask=mask, other=0.0)
    a = tl.load(x + row * columns + at, mask=mask, other=0.0)
    b = tl.load(x + row * columns + half + at, mask=mask, other=0.0)
    tl.store(out + row * 2 * half + at, a * tl.cos(angle) - b * tl.sin(angle), mask=mask)
    tl.store(out + row * 2 * half + half + at, a * tl.sin(angle) + b * tl.cos(angle), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x, positions):
        x, positions = x.contiguous(), positions.contiguous()
        half = x.shape[1] // 2
        rates = 2.0 ** -torch.arange(half, device=x.device)
        out = torch.empty(x.shape[0], 2 * half, device=x.device)
        rotary_kernel[(x.shape[0],)](x, positions, rates, out, x.shape[1], half, BLOCK=triton.next_power_of_2(half))
        return out
