"""flag_gems' reductions, scans, normalisations and losses against torch in float64; orders, counts and extrema
exactly."""

from __future__ import annotations

import torch
from support.autograd import Accuracy, all_dtypes, randn
from support.gems import Case, check, parameters

F = torch.nn.functional
SHAPE = (20, 300)
EPS = 1e-5


def normal(dtype):
    return (randn(*SHAPE, dtype=dtype),)


def near_one(dtype):
    return (randn(*SHAPE, scale=0.05).add(1.0).to(dtype),)


def weighted(dtype):
    return (
        randn(*SHAPE, dtype=dtype),
        randn(*SHAPE, dtype=dtype, seed=1),
        randn(300, dtype=dtype, seed=2),
        randn(300, dtype=dtype, seed=3),
    )


def labelled(dtype):
    target = torch.randint(0, 300, (20,), generator=torch.Generator().manual_seed(4))
    target[3] = -100
    return randn(*SHAPE, dtype=dtype), target, torch.rand(300, generator=torch.Generator().manual_seed(5)).to(dtype)


def layer_norm(x, w=None, b=None):
    mean, var = x.mean(-1), x.var(-1, unbiased=False)
    return F.layer_norm(x, (300,), w, b, EPS), mean, torch.rsqrt(var + EPS)


def rms(x, w):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPS) * w


def group_norm(x, w, b):
    grouped = x.reshape(2, 2, -1)
    return F.group_norm(x, 2, w, b, EPS), grouped.mean(-1), torch.rsqrt(grouped.var(-1, unbiased=False) + EPS)


def batch_norm(x):
    mean, var = x.mean((0, 2)), x.var((0, 2), unbiased=False)
    inverse = torch.rsqrt(var + EPS)
    return (x - mean[:, None]) * inverse[:, None], mean, inverse


def weight_norm(v, g):
    norm = v.norm(dim=1, keepdim=True)
    return v * (g / norm), norm


def group_scaled(x):
    """Quantised per group of 20: what comes back from codes times scales is x again, to float8's spacing."""
    return x


CASES = [
    Case("sum", "ops.sum", lambda m, x: m.sum(x), torch.sum, normal, Accuracy(2, 6000, scale=80)),
    Case(
        "sum-dim",
        "ops.sum",
        lambda m, x: m.sum_dim(x, [1], True),
        lambda x: x.sum(1, keepdim=True),
        normal,
        Accuracy(2, 300),
    ),
    Case("sum-dim-0", "ops.sum", lambda m, x: m.sum_dim(x, [0]), lambda x: x.sum(0), normal, Accuracy(2, 300)),
    Case(
        "sum-dims",
        "ops.sum",
        lambda m, x: m.sum_dim(x, [0, 2]),
        lambda x: x.sum((0, 2)),
        lambda dtype: (randn(4, 9, 50, dtype=dtype),),
        Accuracy(2, 200),
    ),
    Case("prod", "ops.prod", lambda m, x: m.prod(x), torch.prod, near_one, Accuracy(8, 6000)),
    Case("prod-dim", "ops.prod", lambda m, x: m.prod_dim(x, 1), lambda x: x.prod(1), near_one, Accuracy(2, 600)),
    Case("max", "ops.max", lambda m, x: m.max(x), torch.max, normal, None),
    Case("max-dim", "ops.max", lambda m, x: next(iter(m.max_dim(x, 1))), lambda x: x.max(1).values, normal, None),
    Case(
        "max-dim-f32", "ops.max", lambda m, x: tuple(m.max_dim(x, 1)), lambda x: tuple(x.max(1)), normal, None, ("f32",)
    ),
    Case("aminmax", "ops.aminmax", lambda m, x: tuple(m.aminmax(x)), lambda x: tuple(torch.aminmax(x)), normal, None),
    Case(
        "all-true",
        "ops._is_all_true",
        lambda m, x: m._is_all_true(x > -100),
        lambda x: torch.tensor(True),
        normal,
        None,
        ("f32",),
    ),
    Case(
        "not-all-true",
        "ops._is_all_true",
        lambda m, x: m._is_all_true(x > -3),
        lambda x: (x > -3).all(),
        normal,
        None,
        ("f32",),
    ),
    Case(
        "count-nonzero",
        "ops.count_nonzero",
        lambda m, x: m.count_nonzero(x),
        torch.count_nonzero,
        lambda dtype: (torch.relu(randn(*SHAPE)).to(dtype),),
        None,
    ),
    Case("var", "ops.var", lambda m, x: m.var(x), torch.var, normal, Accuracy(8, 6000)),
    Case(
        "var-dim", "ops.var", lambda m, x: m.var_dim(x, [1], correction=1), lambda x: x.var(1), normal, Accuracy(2, 300)
    ),
    Case("var-mean", "ops.var_mean", lambda m, x: m.var_mean(x), torch.var_mean, normal, Accuracy(8, 6000, scale=1)),
    Case("cumsum", "ops.cumsum", lambda m, x: m.cumsum(x, 1), lambda x: x.cumsum(1), normal, Accuracy(2, 300)),
    Case("cumsum-dim-0", "ops.cumsum", lambda m, x: m.cumsum(x, 0), lambda x: x.cumsum(0), normal, Accuracy(2, 300)),
    Case(
        "normed-cumsum",
        "ops.cumsum",
        lambda m, x: m.normed_cumsum(x, 1),
        lambda x: x.cumsum(1) / x.sum(1, keepdim=True),
        lambda dtype: (randn(*SHAPE).abs().to(dtype),),
        Accuracy(2, 600),
    ),
    Case(
        "normed-cumsum-0",
        "ops.cumsum",
        lambda m, x: m.normed_cumsum(x, 0),
        lambda x: x.cumsum(0) / x.sum(0),
        lambda dtype: (randn(*SHAPE).abs().to(dtype),),
        Accuracy(2, 600),
    ),
    Case("cummax", "ops.cummax", lambda m, x: tuple(m.cummax(x, 1)), lambda x: tuple(x.cummax(1)), normal, None),
    Case("cummin", "ops.cummin", lambda m, x: tuple(m.cummin(x, 1)), lambda x: tuple(x.cummin(1)), normal, None),
    Case("softmax", "ops.softmax", lambda m, x: m.softmax(x, 1), lambda x: x.softmax(1), normal, Accuracy(2, 300)),
    Case(
        "softmax-dim-0", "ops.softmax", lambda m, x: m.softmax(x, 0), lambda x: x.softmax(0), normal, Accuracy(2, 300)
    ),
    Case(
        "safe-softmax",
        "ops._safe_softmax",
        lambda m, x: m._safe_softmax(x, -1),
        lambda x: x.softmax(1),
        normal,
        Accuracy(2, 300),
    ),
    Case(
        "log-softmax",
        "ops.log_softmax",
        lambda m, x: m.log_softmax(x, 1),
        lambda x: x.log_softmax(1),
        normal,
        Accuracy(2, 300),
    ),
    Case("trace", "ops.trace", lambda m, x: m.trace(x), torch.trace, normal, Accuracy(2, 30, scale=5)),
    Case(
        "layer-norm",
        "ops.layernorm",
        lambda m, x: m.layer_norm(x, (300,), None, None, EPS),
        layer_norm,
        normal,
        Accuracy(3, 300),
    ),
    Case(
        "layer-norm-affine",
        "ops.layernorm",
        lambda m, x, r, w, b: m.layer_norm(x, (300,), w, b, EPS),
        lambda x, r, w, b: layer_norm(x, w, b),
        weighted,
        Accuracy(3, 300),
    ),
    Case(
        "layer-norm-short",
        "ops.layernorm",
        lambda m, x, w, b: m.layer_norm(x, (60,), w, b, EPS)[0],
        lambda x, w, b: F.layer_norm(x, (60,), w, b, EPS),
        lambda dtype: (randn(30, 60, dtype=dtype), randn(60, dtype=dtype, seed=1), randn(60, dtype=dtype, seed=2)),
        Accuracy(3, 60),
    ),
    Case(
        "skip-layer-norm",
        "fused.skip_layernorm",
        lambda m, x, r, w, b: m.skip_layer_norm(x, r, (300,), w, b, EPS),
        lambda x, r, w, b: F.layer_norm(x + r, (300,), w, b, EPS),
        weighted,
        Accuracy(4, 300),
    ),
    Case(
        "add-rms-norm",
        "fused.fused_add_rms_norm",
        lambda m, x, r, w, b: m.fused_add_rms_norm(x, r, (300,), w, EPS),
        lambda x, r, w, b: (rms(x + r, w), x + r),
        weighted,
        Accuracy(4, 300),
    ),
    Case(
        "group-norm",
        "ops.groupnorm",
        lambda m, x, w, b: m.group_norm(x, w, b, 2, 4, 64, 2, EPS),
        group_norm,
        lambda dtype: (randn(2, 4, 8, 8, dtype=dtype), randn(4, dtype=dtype, seed=1), randn(4, dtype=dtype, seed=2)),
        Accuracy(4, 128),
    ),
    Case(
        "batch-norm",
        "ops.batch_norm",
        lambda m, x: m.batch_norm(
            x, None, None, torch.zeros(6, dtype=x.dtype), torch.ones(6, dtype=x.dtype), True, 0.1, EPS
        ),
        batch_norm,
        lambda dtype: (randn(5, 6, 30, dtype=dtype),),
        Accuracy(4, 150),
    ),
    Case(
        "weight-norm",
        "ops.weightnorm",
        lambda m, v, g: m.weight_norm_interface(v, g, 0),
        weight_norm,
        lambda dtype: (randn(*SHAPE, dtype=dtype), randn(20, 1, dtype=dtype, seed=1)),
        Accuracy(2, 300),
    ),
    Case(
        "moe-sum",
        "fused.moe_sum",
        lambda m, x: (out := torch.empty(4, 300, dtype=x.dtype), m.moe_sum(x, out), out)[-1],
        lambda x: x.sum(1),
        lambda dtype: (randn(4, 6, 300, dtype=dtype),),
        Accuracy(2, 6),
    ),
    Case(
        "nll",
        "ops.nllloss",
        lambda m, x, t, w: m.nll_loss_forward(x, t, w, 0)[0],
        lambda x, t, w: F.nll_loss(x, t, w, reduction="none"),
        labelled,
        Accuracy(2, 4),
    ),
    Case(
        "nll-mean",
        "ops.nllloss",
        lambda m, x, t, w: m.nll_loss_forward(x, t, None, 1)[0],
        lambda x, t, w: F.nll_loss(x, t),
        labelled,
        Accuracy(4, 40, scale=1.0),
    ),
    Case(
        "cross-entropy",
        "fused.cross_entropy_loss",
        lambda m, x, t, w: m.cross_entropy_loss(x, t),
        lambda x, t, w: F.cross_entropy(x, t),
        labelled,
        Accuracy(4, 300),
    ),
    Case(
        "cross-entropy-weight",
        "fused.cross_entropy_loss",
        lambda m, x, t, w: m.cross_entropy_loss(x, t, w),
        lambda x, t, w: F.cross_entropy(x, t, w),
        labelled,
        Accuracy(4, 300),
    ),
    Case(
        "quantile",
        "ops.quantile",
        lambda m, x, q: m.quantile(x, q),
        torch.quantile,
        lambda dtype: (randn(4, 50, dtype=dtype), torch.tensor([0.3, 0.75], dtype=dtype)),
        Accuracy(4, 8),
    ),
    Case(
        "quantile-long",
        "ops.quantile",
        lambda m, x, q: m.quantile(x, q, dim=1),
        lambda x, q: torch.quantile(x, q, dim=1),
        lambda dtype: (randn(2, 1500, dtype=dtype), torch.tensor([0.25, 0.75], dtype=dtype)),
        Accuracy(4, 8),
        ("f32", "bf16"),
    ),
    Case(
        "sort",
        "ops.sort",
        lambda m, x: m.sort(x, 1),
        lambda x: tuple(torch.sort(x, stable=True, dim=1)),
        lambda dtype: (randn(4, 60, dtype=dtype),),
        None,
        widen=False,
    ),
    Case(
        "sort-descending",
        "ops.sort",
        lambda m, x: m.sort(x, 1, True),
        lambda x: tuple(torch.sort(x, stable=True, dim=1, descending=True)),
        lambda dtype: (randn(4, 60, dtype=dtype),),
        None,
        ("f32",),
        widen=False,
    ),
    Case(
        "unique",
        "ops.unique",
        lambda m, x: m._unique2(x, True, True, True),
        lambda x: torch._unique2(x, True, True, True),
        lambda dtype: (randn(200, scale=3).round().to(dtype),),
        None,
        widen=False,
    ),
    Case(
        "unique-consecutive",
        "ops.unique_consecutive",
        lambda m, x: m.unique_consecutive(x, True, True),
        lambda x: torch.unique_consecutive(x, True, True),
        lambda dtype: (randn(200, scale=0.7).round().to(dtype),),
        None,
        widen=False,
    ),
]


@parameters(CASES)
def test_reduction(corpus, case, dtype):
    check(corpus, case, dtype)


@all_dtypes
def test_group_quantisation(corpus, dtype):
    """Scales are the largest of each group over 448; codes are one division and one rounding."""
    from support.autograd import equal
    from support.gems import gems

    x = randn(6, 80, dtype=dtype)
    codes, scales = gems("ops.per_token_group_quant_fp8").per_token_group_quant_fp8(x, 20, dtype=torch.float8_e4m3fn)
    groups = x.float().view(6, 4, 20)
    scale = groups.abs().amax(-1) / 448.0
    equal(corpus, "scales", scales, scale)
    equal(
        corpus,
        "codes",
        codes.double(),
        (groups / scale[..., None]).clamp(-448, 448).to(torch.float8_e4m3fn).double().view(6, 80),
    )
