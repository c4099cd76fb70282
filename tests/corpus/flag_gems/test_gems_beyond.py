"""flag_gems' kernels beyond the list: backward passes, attention, top-k, generated indexing, extrema, norms."""

from __future__ import annotations

import math

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, half_dtypes, randn
from support.gems import Case, check, gems, parameters

F = torch.nn.functional
SHAPE = (12, 150)
EPS = 1e-5


def normal(dtype):
    return (randn(*SHAPE, dtype=dtype),)


def two(dtype):
    return randn(*SHAPE, dtype=dtype), randn(*SHAPE, dtype=dtype, seed=1)


def affine(dtype):
    return (*two(dtype), randn(150, dtype=dtype, seed=2), randn(150, dtype=dtype, seed=3))


def images(dtype):
    return randn(2, 3, 6, 5, dtype=dtype), randn(2, 3, 12, 10, dtype=dtype, seed=1)


def slope(function, cotangent, *inputs):
    """Gradients of function at the inputs, by torch."""
    leaves = [item.clone().requires_grad_(True) for item in inputs]
    found = torch.autograd.grad(function(*leaves), leaves, cotangent)
    return found if len(found) > 1 else found[0]


def softmax_backward(module, gradient, x):
    return module.softmax_backward(gradient, x.double().softmax(1).to(x.dtype), 1, x.dtype)


def log_softmax_backward(module, gradient, x):
    return module.log_softmax_backward(gradient, x.double().log_softmax(1).to(x.dtype), 1, x.dtype)


def layer_norm_backward(module, gradient, x, weight, bias):
    wide = x.double()
    mean, inverse = wide.mean(1), torch.rsqrt(wide.var(1, unbiased=False) + EPS)
    return module.layer_norm_backward(
        gradient, x, (150,), mean.to(x.dtype), inverse.to(x.dtype), weight, bias, [True, True, True]
    )


def rms(x, weight):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPS) * weight


def rms_backward(module, gradient, x, weight, bias):
    inverse = torch.rsqrt(x.double().square().mean(-1) + EPS).float()
    return module.rms_norm_backward(gradient, x, inverse, (150,), weight, EPS)


def max_pool_backward(module, gradient, x):
    _, index = F.max_pool2d(x.double(), 2, return_indices=True)
    return module.max_pool2d_backward(gradient, x, index, 2, 2, 0, 1, False)


def picks(dtype):
    index = torch.randint(0, 150, (12, 40), generator=torch.Generator().manual_seed(2))
    return randn(*SHAPE, dtype=dtype), index, randn(12, 40, dtype=dtype, seed=1)


def batches(dtype):
    return randn(3, 20, 40, dtype=dtype), randn(3, 40, 24, dtype=dtype, seed=1)


CASES = [
    Case(
        "softmax-backward",
        "ops.softmax",
        softmax_backward,
        lambda g, x: slope(lambda t: t.softmax(1), g, x),
        two,
        Accuracy(6, 150),
    ),
    Case(
        "log-softmax-backward",
        "ops.log_softmax",
        log_softmax_backward,
        lambda g, x: slope(lambda t: t.log_softmax(1), g, x),
        two,
        Accuracy(8, 150),
    ),
    Case(
        "layer-norm-backward",
        "ops.layernorm",
        layer_norm_backward,
        lambda g, x, w, b: slope(lambda *a: F.layer_norm(a[0], (150,), a[1], a[2], EPS), g, x, w, b),
        affine,
        Accuracy(10, 150),
    ),
    Case(
        "rms-norm",
        "ops.rms_norm",
        lambda m, g, x, w, b: m.rms_norm_forward(x, (150,), w, EPS)[0],
        lambda g, x, w, b: rms(x, w),
        affine,
        Accuracy(3, 150),
    ),
    Case(
        "rms-norm-backward",
        "ops.rms_norm",
        rms_backward,
        lambda g, x, w, b: slope(rms, g, x, w),
        affine,
        Accuracy(8, 150),
    ),
    Case(
        "sigmoid-backward",
        "ops.sigmoid",
        lambda m, g, y: m.sigmoid_backward(g, torch.tanh(y).abs()),
        lambda g, y: g * torch.tanh(y).abs() * (1 - torch.tanh(y).abs()),
        two,
        Accuracy(6, 8),
    ),
    Case(
        "threshold-backward",
        "ops.threshold",
        lambda m, g, x: m.threshold_backward(g, x, 0.3),
        lambda g, x: torch.where(x > 0.3, g, torch.zeros_like(g)),
        two,
        None,
    ),
    Case(
        "embedding-backward",
        "ops.embedding",
        lambda m, g, i: m.embedding_backward(g, i, 30),
        lambda g, i: torch.zeros(30, 44, dtype=g.dtype).index_add(0, i.flatten(), g.reshape(-1, 44)),
        lambda d: (randn(3, 7, 44, dtype=d), torch.arange(21).mul(7).remainder(13).view(3, 7)),
        Accuracy(3, 21),
    ),
    Case(
        "avg-pool-backward",
        "ops.avg_pool2d",
        lambda m, g, x: m.avg_pool2d_backward(g, x, [2, 2], [2, 2], [0, 0], False, True, None),
        lambda g, x: slope(lambda t: F.avg_pool2d(t, 2), g, x),
        images,
        Accuracy(2, 4),
    ),
    Case(
        "max-pool-backward",
        "ops.max_pool2d_with_indices",
        max_pool_backward,
        lambda g, x: slope(lambda t: F.max_pool2d(t, 2), g, x),
        images,
        Accuracy(1, 2),
    ),
    Case("bmm", "ops.bmm", lambda m, a, b: m.bmm(a, b), torch.bmm, batches, Accuracy(2, 40)),
    Case(
        "addr",
        "ops.addr",
        lambda m, c, a, b: m.addr(c, a, b, beta=0.5, alpha=2.0),
        lambda c, a, b: torch.addr(c, a, b, beta=0.5, alpha=2.0),
        lambda d: (randn(20, 30, dtype=d), randn(20, dtype=d, seed=1), randn(30, dtype=d, seed=2)),
        Accuracy(4, 4, scale=2.0),
    ),
    Case("amax", "ops.amax", lambda m, x: m.amax(x, [1]), lambda x: x.amax(1), normal, None),
    Case("argmax", "ops.argmax", lambda m, x: m.argmax(x, 1), lambda x: x.argmax(1), normal, None),
    Case(
        "argmin",
        "ops.argmin",
        lambda m, x: m.argmin(x, 1),
        lambda x: x.argmin(1),
        lambda d: (randn(12, 256, dtype=d),),
        None,
    ),
    Case("argmax-flat", "ops.argmax", lambda m, x: m.argmax(x), lambda x: x.argmax(), normal, None, ("f32",)),
    Case("min-dim", "ops.min", lambda m, x: tuple(m.min_dim(x, 1)), lambda x: tuple(x.min(1)), normal, None, ("f32",)),
    Case("all-dim", "ops.all", lambda m, x: m.all_dim(x > -2, 1), lambda x: (x > -2).all(1), normal, None),
    Case("any-dim", "ops.any", lambda m, x: m.any_dim(x > 2, 1), lambda x: (x > 2).any(1), normal, None),
    Case("mean", "ops.mean", lambda m, x: m.mean(x), torch.mean, normal, Accuracy(2, 1800, scale=1.0)),
    Case("std", "ops.std", lambda m, x: m.std(x, [1], correction=1), lambda x: x.std(1), normal, Accuracy(2, 150)),
    Case(
        "norm-1",
        "ops.vector_norm",
        lambda m, x: m.vector_norm(x, 1, [1]),
        lambda x: torch.linalg.vector_norm(x, 1, 1),
        normal,
        Accuracy(2, 150),
    ),
    Case(
        "norm-2",
        "ops.vector_norm",
        lambda m, x: m.vector_norm(x, 2, [1]),
        lambda x: torch.linalg.vector_norm(x, 2, 1),
        normal,
        Accuracy(2, 150),
    ),
    Case(
        "norm-inf",
        "ops.vector_norm",
        lambda m, x: m.vector_norm(x, math.inf, [1]),
        lambda x: x.abs().amax(1),
        normal,
        None,
    ),
    Case("topk", "ops.topk", lambda m, x: m.topk(x, 7)[0], lambda x: x.topk(7).values, normal, None),
    Case("topk-index", "ops.topk", lambda m, x: m.topk(x, 7), lambda x: tuple(x.topk(7)), normal, None, ("f32",)),
    Case("gather", "ops.gather", lambda m, x, i, s: m.gather(x, 1, i), lambda x, i, s: x.gather(1, i), picks, None),
    Case(
        "scatter",
        "ops.scatter",
        lambda m, x, i, s: m.scatter(x, 1, i.remainder(3) * 50 + torch.arange(40), s),
        lambda x, i, s: x.scatter(1, i.remainder(3) * 50 + torch.arange(40), s),
        picks,
        None,
    ),
    Case(
        "index-add",
        "ops.index_add",
        lambda m, x, s: m.index_add(x, 0, torch.tensor([3, 1, 3, 9]), s[:4], 2.0),
        lambda x, s: x.index_add(0, torch.tensor([3, 1, 3, 9]), s[:4], alpha=2.0),
        two,
        Accuracy(3, 4),
    ),
    Case(
        "index-put",
        "ops.index_put",
        lambda m, x, s: m.index_put(x, [torch.tensor([3, 1, 9])], s[:3], False),
        lambda x, s: x.index_put((torch.tensor([3, 1, 9]),), s[:3]),
        two,
        None,
    ),
    Case(
        "index",
        "ops.index",
        lambda m, x: m.index(x, [torch.tensor([3, 1, 9])]),
        lambda x: x[torch.tensor([3, 1, 9])],
        normal,
        None,
    ),
    Case("cat", "ops.cat", lambda m, x, y: m.cat([x, y, x], 1), lambda x, y: torch.cat([x, y, x], 1), two, None),
    Case("pad", "ops.pad", lambda m, x: m.pad(x, [2, 3, 1, 4]), lambda x: F.pad(x, [2, 3, 1, 4]), normal, None),
    Case("tile", "ops.tile", lambda m, x: m.tile(x, (2, 3)), lambda x: x.tile(2, 3), normal, None),
    Case("repeat", "ops.repeat", lambda m, x: m.repeat(x, (3, 1, 2)), lambda x: x.repeat(3, 1, 2), normal, None),
    Case("triu", "ops.triu", lambda m, x: m.triu(x, -3), lambda x: x.triu(-3), normal, None),
    Case(
        "select-scatter",
        "ops.select_scatter",
        lambda m, x, s: m.select_scatter(x, s[:, 0].contiguous(), 1, 5),
        lambda x, s: torch.select_scatter(x, s[:, 0], 1, 5),
        two,
        None,
    ),
    Case(
        "conv1d",
        "ops.conv1d",
        lambda m, x, w: m.conv1d(x, w, None, 1, 1),
        lambda x, w: F.conv1d(x, w, None, 1, 1),
        lambda d: (randn(2, 4, 30, dtype=d), randn(6, 4, 3, dtype=d, seed=1)),
        Accuracy(2, 12),
    ),
    Case(
        "instance-norm",
        "fused.instance_norm",
        lambda m, x: m.instance_norm(x, use_input_stats=True, eps=EPS),
        lambda x: F.instance_norm(x, eps=EPS),
        lambda d: (randn(2, 4, 6, 7, dtype=d),),
        Accuracy(4, 42),
    ),
    Case(
        "silu-and-mul",
        "fused.silu_and_mul",
        lambda m, a, b: m.silu_and_mul(a, b),
        lambda a, b: F.silu(a) * b,
        two,
        Accuracy(3, 8),
    ),
    Case(
        "gelu-and-mul",
        "fused.gelu_and_mul",
        lambda m, a, b: m.gelu_and_mul(a, b),
        lambda a, b: F.gelu(a) * b,
        two,
        Accuracy(3, 8),
    ),
    Case(
        "bincount",
        "fused.bincount",
        lambda m, i: m.bincount(i),
        torch.bincount,
        lambda d: (torch.arange(500).mul(37).remainder(23),),
        None,
        ("f32",),
        False,
    ),
]


@parameters(CASES)
def test_beyond(corpus, case, dtype):
    check(corpus, case, dtype)


@half_dtypes
def test_attention(corpus, dtype, monkeypatch):
    """The flash kernels of the package, causal, forward and backward. The backward grid covers the sequence in blocks
    of BLOCK_N1: with a configuration whose BLOCK_M2 is smaller the rest of the gradient of q stays unwritten, so those
    are left out here."""
    tuner = gems("ops.attention")._attn_bwd.fn
    whole = [item for item in tuner.configs if item.kwargs["BLOCK_M2"] == item.kwargs["BLOCK_N1"]]
    monkeypatch.setattr(tuner, "configs", whole)
    q, k, v = (randn(1, 2, 128, 64, dtype=dtype, seed=seed).requires_grad_(True) for seed in range(3))
    wide = [t.detach().double().requires_grad_(True) for t in (q, k, v)]
    gradient = randn(1, 2, 128, 64, dtype=dtype, seed=3)
    expected = F.scaled_dot_product_attention(*wide, is_causal=True)
    expected.backward(gradient.double())
    out = gems("ops.attention").scaled_dot_product_attention(q, k, v, is_causal=True)
    agree(corpus, "values", out, expected, Accuracy(4, 128))
    with corpus.backward():
        out.backward(gradient)
    for name, own, reference in zip("qkv", (q, k, v), wide):
        agree(corpus, f"gradient of {name}", own.grad, reference.grad, Accuracy(12, 128))


@all_dtypes
def test_rotary_embedding(corpus, dtype):
    q, k = randn(9, 4, 32, dtype=dtype), randn(9, 2, 32, dtype=dtype, seed=1)
    angle = randn(20, 16, seed=2)
    positions = torch.arange(9).mul(7).remainder(20)
    cos, sin = angle.cos().to(dtype), angle.sin().to(dtype)
    out = gems("fused.rotary_embedding").apply_rotary_pos_emb(q, k, cos, sin, positions)
    for name, own, source in zip("qk", out, (q, k)):
        first, second = source.double().chunk(2, -1)
        c, s = (t.double()[positions][:, None] for t in (cos, sin))
        agree(corpus, name, own, torch.cat((first * c - second * s, second * c + first * s), -1), Accuracy(3, 4))


def test_unmasked_accesses_are_reported(corpus):
    """Two errors of the package: neither rows shorter than the block nor short sequences' gradients are masked."""
    import lockstep

    with pytest.raises(lockstep.KernelError, match="out-of-bounds read: inp"):
        gems("ops.argmin").argmin(randn(12, 150), 1)
    q, k, v = (randn(1, 2, 64, 64, dtype=torch.bfloat16, seed=seed).requires_grad_(True) for seed in range(3))
    out = gems("ops.attention").scaled_dot_product_attention(q, k, v, is_causal=True)
    with pytest.raises(lockstep.KernelError, match="out-of-bounds read: DO"):
        out.backward(torch.ones_like(out))
