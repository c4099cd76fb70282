"""A suite for the axis `dtype`: bounds that follow the type, a bound that does not, and a kernel that is wrong in one type."""

import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def halve(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n) / 3
    if x.dtype.element_ty == tl.bfloat16:
        value = value + 1  # wrong in bf16 only
    tl.store(out + at, value, mask=at < n)


def third(x):
    out = torch.empty_like(x)
    halve[(triton.cdiv(x.numel(), 32),)](x, out, x.numel(), BLOCK=32)
    return out


def draw(**how):
    return torch.randn(40, generator=torch.Generator().manual_seed(3), **how).cuda()


def allowed(dtype):
    return 4 * torch.finfo(dtype).eps


@pytest.mark.parametrize("dtype", [torch.float32])
def test_bounds_follow(dtype):
    x = draw(dtype=dtype)
    assert x.dtype is dtype
    assert (third(x).double() - x.double() / 3).abs().max() <= allowed(dtype)


def test_drawn():
    x = draw()
    assert (third(x).double() - x.double() / 3).abs().max() <= allowed(x.dtype)


def test_fixed_bound():
    x = draw()
    assert (third(x).double() - x.double() / 3).abs().max() <= 1e-6


def test_of_integers():
    assert torch.randint(4, (3,)).shape == (3,)


def test_only_float32():
    x = draw()
    if x.dtype is not torch.float32:
        raise TypeError("float32 only")
