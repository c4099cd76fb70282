"""flag_gems' element-wise kernels, in place and out of place, against torch in float64; copies and comparisons
exactly."""

from __future__ import annotations

import torch
from support.autograd import Accuracy, randn
from support.gems import Case, check, parameters

F = torch.nn.functional
SHAPE = (5, 300)


def normal(dtype):
    return (randn(*SHAPE, dtype=dtype),)


def two(dtype):
    return randn(*SHAPE, dtype=dtype), randn(*SHAPE, dtype=dtype, seed=1)


def unit(dtype):
    """Inside (-1, 1), away from the ends."""
    return (torch.tanh(randn(*SHAPE)).mul(0.97).to(dtype),)


def fraction(dtype):
    return (torch.sigmoid(randn(*SHAPE)).to(dtype),)


def positive(dtype):
    return (randn(*SHAPE).abs().add(0.1).to(dtype),)


def with_nan(dtype):
    left, right = two(dtype)
    left[0, :10], right[0, 5:15] = float("nan"), float("nan")
    return left, right


def softplus_losses(x, y):
    return torch.log1p(torch.exp(-x * y)).mean()


CASES = [
    Case("arctanh_", "ops.arctanh_", lambda m, x: m.arctanh_(x), torch.atanh, unit, Accuracy(2, 16)),
    Case("digamma_", "ops.digamma_", lambda m, x: m.digamma_(x), torch.digamma, positive, Accuracy(2, 200)),
    Case("floor_", "ops.floor_", lambda m, x: m.floor_(x), torch.floor, normal, None),
    Case("hardswish_", "ops.hardswish_", lambda m, x: m.hardswish_(x), F.hardswish, normal, Accuracy(3, 4)),
    Case("i0_", "ops.i0_", lambda m, x: m.i0_(x), torch.special.i0, normal, Accuracy(2, 16)),
    Case("log1p_", "ops.log1p_", lambda m, x: m.log1p_(x), torch.log1p, positive, Accuracy(2, 8)),
    Case(
        "logit_",
        "ops.logit_",
        lambda m, x: m.logit_(x, 1e-3),
        lambda x: torch.logit(x, 1e-3),
        fraction,
        Accuracy(4, 16),
    ),
    Case("selu_", "ops.selu_", lambda m, x: m.selu_(x), F.selu, normal, Accuracy(3, 8)),
    Case("sgn_", "ops.sgn_", lambda m, x: m.sgn_(x), torch.sgn, normal, None),
    Case("sinh_", "ops.sinh_", lambda m, x: m.sinh_(x), torch.sinh, normal, Accuracy(2, 16)),
    Case("fmin", "ops.fmin", lambda m, x, y: m.fmin(x, y), torch.fmin, with_nan, None),
    Case("hardsigmoid", "ops.hardsigmoid", lambda m, x: m.hardsigmoid(x), F.hardsigmoid, normal, Accuracy(2, 4)),
    Case("hypot", "ops.hypot", lambda m, x, y: m.hypot(x, y), torch.hypot, two, Accuracy(2, 8)),
    Case("i0", "ops.i0", lambda m, x: m.i0(x), torch.special.i0, normal, Accuracy(2, 16)),
    Case("lift_fresh_copy", "ops.lift_fresh_copy", lambda m, x: m.lift_fresh_copy(x), torch.clone, normal, None),
    Case("logit", "ops.logit", lambda m, x: m.logit(x), torch.logit, fraction, Accuracy(4, 16)),
    Case(
        "logit-eps", "ops.logit", lambda m, x: m.logit(x, 0.1), lambda x: torch.logit(x, 0.1), fraction, Accuracy(4, 16)
    ),
    Case(
        "prelu",
        "ops.prelu",
        lambda m, x, w: m.prelu(x, w),
        F.prelu,
        lambda dtype: (randn(4, 30, 7, dtype=dtype), randn(30, dtype=dtype, seed=1)),
        Accuracy(1),
    ),
    Case(
        "prelu-scalar",
        "ops.prelu",
        lambda m, x, w: m.prelu(x, w),
        F.prelu,
        lambda dtype: (randn(*SHAPE, dtype=dtype), randn(1, dtype=dtype, seed=1)),
        Accuracy(1),
    ),
    Case(
        "relu6",
        "ops.relu6",
        lambda m, x: m.relu6(x),
        F.relu6,
        lambda dtype: (randn(*SHAPE, dtype=dtype, scale=5.0),),
        None,
    ),
    Case(
        "round",
        "ops.round",
        lambda m, x: m.round(x),
        torch.round,
        lambda dtype: (randn(*SHAPE, dtype=dtype, scale=5.0),),
        None,
    ),
    Case(
        "round-2",
        "ops.round",
        lambda m, x: m.round(x, decimals=2),
        lambda x: torch.round(x, decimals=2),
        normal,
        Accuracy(2, 4, scale=1.0),
    ),
    Case("selu", "ops.selu", lambda m, x: m.selu(x), F.selu, normal, Accuracy(3, 8)),
    Case(
        "softshrink",
        "ops.softshrink",
        lambda m, x: m.softshrink(x, 0.4),
        lambda x: F.softshrink(x, 0.4),
        normal,
        Accuracy(1),
    ),
    Case("special_i0e", "ops.special_i0e", lambda m, x: m.special_i0e(x), torch.special.i0e, normal, Accuracy(2, 16)),
    Case("special_i1", "ops.special_i1", lambda m, x: m.special_i1(x), torch.special.i1, normal, Accuracy(2, 16)),
    Case("zero", "ops.zero", lambda m, x: m.zero_out(x), torch.zeros_like, normal, None),
    Case(
        "dropout-backward",
        "ops.dropout",
        lambda m, g, mask: m.dropout_backward(g, mask, 1.25),
        lambda g, mask: g * mask * 1.25,
        lambda dtype: (randn(*SHAPE, dtype=dtype), randn(*SHAPE, seed=1) > 0),
        Accuracy(1),
    ),
    Case(
        "rrelu-backward",
        "ops.rrelu_with_noise_backward",
        lambda m, g, x, n: m.rrelu_with_noise_backward(g, x, n, 0.1, 0.3, True),
        lambda g, x, n: g * n,
        lambda dtype: (*two(dtype), randn(*SHAPE, dtype=dtype, seed=2)),
        Accuracy(1),
    ),
    Case(
        "rrelu-backward-eval",
        "ops.rrelu_with_noise_backward",
        lambda m, g, x, n: m.rrelu_with_noise_backward(g, x, n, 0.1, 0.3, False),
        lambda g, x, n: torch.where(x > 0, g, g * 0.2),
        lambda dtype: (*two(dtype), randn(*SHAPE, dtype=dtype, seed=2)),
        Accuracy(2),
    ),
    Case(
        "margin-ranking",
        "ops.margin_ranking_loss",
        lambda m, a, b, t: m.margin_ranking_loss(a, b, t, 0.2, "none"),
        lambda a, b, t: F.margin_ranking_loss(a, b, t, 0.2, reduction="none"),
        lambda dtype: (*two(dtype), torch.sign(randn(*SHAPE, seed=2)).to(dtype)),
        Accuracy(3, scale=1.5),
    ),
    Case(
        "soft-margin",
        "ops.soft_margin_loss",
        lambda m, x, y: m.soft_margin_loss(x, y, "sum") / x.numel(),
        softplus_losses,
        lambda dtype: (randn(*SHAPE, dtype=dtype), torch.sign(randn(*SHAPE, seed=2)).to(dtype)),
        Accuracy(3, 1500),
    ),
]


@parameters(CASES)
def test_elementwise(corpus, case, dtype):
    check(corpus, case, dtype)


def test_conjugate(corpus):
    from support.autograd import equal
    from support.gems import gems

    values = torch.complex(randn(*SHAPE), randn(*SHAPE, seed=1))
    found = gems("ops.conj_physical").conj_physical(values)
    equal(corpus, "values", torch.view_as_real(found.resolve_conj()), torch.view_as_real(values.conj().resolve_conj()))
