"""Dropout whose mask is made from a seed in the kernel, so that nothing needs to be stored for the backward pass.

    python -m lockstep examples/python/dropout.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x, out, count, probability, seed, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    kept = tl.rand(seed, index) > probability
    values = tl.load(x + index, mask=inside)
    tl.store(out + index, tl.where(kept, values / (1 - probability), 0.0), mask=inside)


def dropout(x: torch.Tensor, probability: float, seed: int) -> torch.Tensor:
    out = torch.empty_like(x)
    dropout_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), probability, seed, BLOCK=1024)
    return out


if __name__ == "__main__":
    x = torch.ones(10_000, device="cuda")
    first, again, other = dropout(x, 0.25, seed=123), dropout(x, 0.25, seed=123), dropout(x, 0.25, seed=512)
    assert torch.equal(first, again) and not torch.equal(first, other)
    kept = (first != 0).float().mean().item()
    assert abs(kept - 0.75) < 0.02 and abs(first.mean().item() - 1) < 0.03
    print(f"the same seed gives the same mask; {kept:.1%} kept")
