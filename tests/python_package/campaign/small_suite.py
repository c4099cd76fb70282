"""A suite that campaigns vary: `pytest small_suite.py --lockstep`. Kernels that are right for what these tests ask."""

import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


@triton.jit
def double_of_whole_blocks(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at) * 2)


def draw(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3)).cuda()


def doubled(x):
    out = torch.empty_like(x)
    double[(triton.cdiv(x.numel(), 32),)](x, out, x.numel(), BLOCK=32)
    return out


@pytest.mark.parametrize("rows", [4, 9])
def test_double(rows):
    x = draw(rows, 40)
    assert doubled(x).shape == (rows, 40)
    assert torch.equal(doubled(x), x * 2)


def test_whole_blocks():
    x = draw(64)
    out = torch.empty_like(x)
    double_of_whole_blocks[(triton.cdiv(64, 32),)](x, out, BLOCK=32)
    assert torch.equal(out, x * 2)


def test_only_contiguous():
    x = draw(8, 16)
    if not x.is_contiguous():
        raise ValueError("x must be contiguous")
    assert torch.equal(doubled(x), x * 2)


def test_not_today():
    pytest.skip("not today")
