"""A kernel that the zygote runs before it forks, so that no candidate waits for what a first launch imports and starts."""

from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + at, v + tl.sum(v, 0), mask=at < n)


def run() -> None:
    """Launches it as candidates' kernels are launched, on one thread."""
    from lockstep import settings
    from lockstep.real_numbers import real_ends

    with settings.options(real=True, check="auto", findings="ignore", threads=1):
        out = torch.empty(8, device="cuda")
        copy_kernel[(1,)](torch.ones(8, device="cuda"), out, 8, BLOCK=8)
        real_ends(out)
