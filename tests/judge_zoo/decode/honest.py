# accepted: a running maximum
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def decode_kernel(q, k, v, out, keys, depth, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < depth
    query = tl.load(q + at, mask=mask, other=0.0)
    top, total = float("-inf"), 0.0
    mixed = tl.zeros((BLOCK,), tl.float32)
    for i in range(keys):
        score = tl.sum(query * tl.load(k + i * depth + at, mask=mask, other=0.0), 0)
        new = tl.maximum(top, score)
        old, p = tl.exp(top - new), tl.exp(score - new)
        total = total * old + p
        mixed = mixed * old + p * tl.load(v + i * depth + at, mask=mask, other=0.0)
        top = new
    tl.store(out + at, mixed / total, mask=mask)


class ModelNew(nn.Module):
    def forward(self, q, cache_k, cache_v):
        q, k, v = q.contiguous(), cache_k.contiguous(), cache_v.contiguous()
        out = torch.empty_like(q)
        decode_kernel[(1,)](q, k, v, out, k.shape[0], k.shape[1], BLOCK=triton.next_power_of_2(k.shape[1]))
        return out
