# accepted: with the maximum
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x, targets, out, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * classes + at, mask=at < classes, other=float("-inf"))
    top = tl.max(v, 0)
    lse = top + tl.log(tl.sum(tl.exp(v - top), 0))
    target = tl.load(targets + row)
    tl.store(out + row, lse - tl.load(x + row * classes + target))


class ModelNew(nn.Module):
    def forward(self, logits, targets):
        logits, targets = logits.contiguous(), targets.contiguous()
        out = torch.empty(logits.shape[0], device=logits.device)
        loss_kernel[(logits.shape[0],)](logits, targets, out, logits.shape[1], BLOCK=triton.next_power_of_2(logits.shape[1]))
        return out
