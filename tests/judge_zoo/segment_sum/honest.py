# accepted: offsets as they come
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def segment_kernel(x, offsets, out, columns, BLOCK: tl.constexpr):
    segment = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    total = tl.zeros((BLOCK,), tl.float32)
    begin = tl.load(offsets + segment)
    end = tl.load(offsets + segment + 1)
    for i in range(begin, end):
        total += tl.load(x + i * columns + at, mask=mask, other=0.0)
    tl.store(out + segment * columns + at, total, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x, offsets):
        x, offsets = x.contiguous(), offsets.contiguous()
        out = torch.empty(offsets.numel() - 1, x.shape[1], device=x.device)
        segment_kernel[(offsets.numel() - 1,)](x, offsets, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
