"""liger-kernel's losses against float64: cross entropy and its options, KL, JS and total variation divergence, the ones
fused with the last linear layer, GRPO; values and gradients."""

from __future__ import annotations

import importlib

import pytest
import torch
from support.autograd import Accuracy, agree_autograd, all_dtypes, randn

ROWS, WORDS = 6, 100


def op(module: str, name: str):
    """A function class of liger_kernel.ops; imported here because the package asks for the device when it is
    imported."""
    return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), name).apply


def kept_in(dtype: torch.dtype, roundings: float, terms: int = WORDS) -> Accuracy:
    """For losses in float32 of values that are kept in the input's type on the way (logits of a product,
    differences)."""
    return Accuracy(roundings, terms, eps=torch.finfo(dtype).eps)


def labels(rows: int = ROWS, words: int = WORDS, ignored: bool = True) -> torch.Tensor:
    found = torch.randint(0, words, (rows,), generator=torch.Generator().manual_seed(7))
    if ignored:
        found[1] = -100
    return found


CROSS_ENTROPY = {
    "mean": {},
    "sum": {"reduction": "sum"},
    "smoothing": {"label_smoothing": 0.1},
    "z-loss": {"lse_square_scale": 1e-2},
    "softcap": {"softcap": 5.0},
    "weight": {"weight": True},
    "weight-smoothing": {"weight": True, "label_smoothing": 0.2},
    "none": {"reduction": "none"},
}


@all_dtypes
@pytest.mark.parametrize("options", CROSS_ENTROPY.values(), ids=CROSS_ENTROPY.keys())
def test_cross_entropy(corpus, dtype, options):
    target = labels()
    weight = torch.rand(WORDS, generator=torch.Generator().manual_seed(8)) + 0.5 if "weight" in options else None
    reduction, smoothing = options.get("reduction", "mean"), options.get("label_smoothing", 0.0)
    square, cap = options.get("lse_square_scale", 0.0), options.get("softcap")
    function = op("cross_entropy", "LigerCrossEntropyFunction")

    def run(x):
        return function(x.clone(), target, weight, -100, square, smoothing, reduction, cap)[0]

    def reference(x):
        x = cap * torch.tanh(x / cap) if cap else x
        loss = torch.nn.functional.cross_entropy(
            x,
            target,
            None if weight is None else weight.double(),
            ignore_index=-100,
            label_smoothing=smoothing,
            reduction=reduction,
        )
        z = square * torch.logsumexp(x, -1).square() * (target != -100)
        return loss + {"mean": z.sum() / (target != -100).sum(), "sum": z.sum(), "none": z}[reduction]

    agree_autograd(
        corpus,
        run,
        reference,
        {"x": randn(ROWS, WORDS, dtype=dtype, scale=2.0)},
        accuracy=Accuracy(8, WORDS),
        gradient=Accuracy(6, WORDS),
        wrt=("x",),
    )


@all_dtypes
def test_cross_entropy_scaled_by_the_upstream_gradient(corpus, dtype):
    """A loss that is not the last operation: its stored gradient is multiplied by a kernel of its own."""
    target = labels()
    function = op("cross_entropy", "LigerCrossEntropyFunction")
    agree_autograd(
        corpus,
        lambda x: 3.0 * function(x.clone(), target, None)[0],
        lambda x: 3.0 * torch.nn.functional.cross_entropy(x, target, ignore_index=-100),
        {"x": randn(ROWS, WORDS, dtype=dtype)},
        accuracy=Accuracy(8, WORDS),
        wrt=("x",),
    )


@all_dtypes
@pytest.mark.parametrize("reduction", ["batchmean", "sum", "mean", "none"])
@pytest.mark.parametrize("log_target", [False, True], ids=["probabilities", "logarithms"])
def test_kl_div(corpus, dtype, reduction, log_target):
    target = torch.softmax(randn(ROWS, WORDS, seed=1), -1)
    inputs = {
        "x": torch.log_softmax(randn(ROWS, WORDS), -1).to(dtype),
        "target": (target.log() if log_target else target).to(dtype),
    }
    function = op("kl_div", "LigerKLDivLossFunction")
    agree_autograd(
        corpus,
        lambda x, t: function(x, t, reduction, log_target),
        lambda x, t: torch.nn.functional.kl_div(x, t, reduction=reduction, log_target=log_target),
        inputs,
        accuracy=Accuracy(4, WORDS),
        wrt=("x",),
    )


@all_dtypes
@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
def test_jsd(corpus, dtype, beta):
    inputs = {
        "x": torch.log_softmax(randn(ROWS, WORDS), -1).to(dtype),
        "target": torch.log_softmax(randn(ROWS, WORDS, seed=1), -1).to(dtype),
    }
    function = op("jsd", "LigerJSDFunction")

    def reference(x, y):
        if beta == 0.0:
            return (y.exp() * (y - x)).sum() / ROWS
        if beta == 1.0:
            return (x.exp() * (x - y)).sum() / ROWS
        mixed = (beta * y.exp() + (1 - beta) * x.exp()).log()
        return (beta * y.exp() * (y - mixed) + (1 - beta) * x.exp() * (x - mixed)).sum() / ROWS

    agree_autograd(
        corpus, lambda x, y: function(x, y, None, beta), reference, inputs, accuracy=Accuracy(6, WORDS), wrt=("x",)
    )


@all_dtypes
@pytest.mark.parametrize("reduction", ["batchmean", "sum", "mean", "none"])
def test_tvd(corpus, dtype, reduction):
    inputs = {
        "p": torch.softmax(randn(ROWS, WORDS), -1).to(dtype),
        "q": torch.softmax(randn(ROWS, WORDS, seed=1), -1).to(dtype),
    }
    function = op("tvd", "LigerTVDLossFunction")
    scale = {"batchmean": ROWS, "sum": 1, "mean": ROWS * WORDS, "none": 1}[reduction]

    def reference(p, q):
        distance = 0.5 * (p - q).abs()
        return distance if reduction == "none" else distance.sum() / scale

    agree_autograd(
        corpus, lambda p, q: function(p, q, None, reduction), reference, inputs, accuracy=kept_in(dtype, 3), wrt=("p",)
    )


@all_dtypes
def test_tvd_with_ignored_rows(corpus, dtype):
    target = labels()
    kept = (target != -100).unsqueeze(-1)
    inputs = {
        "p": torch.softmax(randn(ROWS, WORDS), -1).to(dtype),
        "q": torch.softmax(randn(ROWS, WORDS, seed=1), -1).to(dtype),
    }
    function = op("tvd", "LigerTVDLossFunction")
    agree_autograd(
        corpus,
        lambda p, q: function(p, q, target),
        lambda p, q: (0.5 * (p - q).abs() * kept).sum() / kept.sum(),
        inputs,
        accuracy=kept_in(dtype, 3),
        wrt=("p",),
    )


@all_dtypes
def test_fused_linear_cross_entropy(corpus, dtype):
    target = labels()
    inputs = {
        "x": randn(ROWS, 32, dtype=dtype),
        "weight": randn(WORDS, 32, dtype=dtype, seed=1, scale=0.2),
        "bias": randn(WORDS, dtype=dtype, seed=2),
    }
    function = op("fused_linear_cross_entropy", "LigerFusedLinearCrossEntropyFunction")
    agree_autograd(
        corpus,
        lambda x, w, b: function(x, w, target, b)[0],
        lambda x, w, b: torch.nn.functional.cross_entropy(x @ w.T + b, target, ignore_index=-100),
        inputs,
        accuracy=kept_in(dtype, 4),
        gradient=Accuracy(16, WORDS),
        wrt=("x", "weight", "bias"),
    )


@all_dtypes
def test_fused_linear_jsd(corpus, dtype):
    inputs = {
        "x": randn(ROWS, 16, dtype=dtype),
        "weight": randn(WORDS, 16, dtype=dtype, seed=1, scale=0.2),
        "teacher": randn(ROWS, 32, dtype=dtype, seed=2),
        "teacher_weight": randn(WORDS, 32, dtype=dtype, seed=3, scale=0.2),
    }
    function = op("fused_linear_jsd", "LigerFusedLinearJSDFunction")

    def reference(x, weight, teacher, teacher_weight):
        q, p = torch.log_softmax(x @ weight.T, -1), torch.log_softmax(teacher @ teacher_weight.T, -1)
        mixed = (0.5 * p.exp() + 0.5 * q.exp()).log()
        return 0.5 * (p.exp() * (p - mixed) + q.exp() * (q - mixed)).sum() / ROWS

    agree_autograd(
        corpus,
        function,
        reference,
        inputs,
        accuracy=kept_in(dtype, 4),
        gradient=Accuracy(24, WORDS),
        wrt=("x", "weight"),
    )


@all_dtypes
def test_fused_linear_kl_div(corpus, dtype):
    inputs = {
        "x": randn(ROWS, 16, dtype=dtype),
        "weight": randn(WORDS, 16, dtype=dtype, seed=1, scale=0.2),
        "target": torch.softmax(randn(ROWS, WORDS, seed=2), -1).to(dtype),
    }
    function = op("fused_linear_kl_div", "LigerFusedLinearKLDivFunction")
    agree_autograd(
        corpus,
        function,
        lambda x, w, t: torch.nn.functional.kl_div(torch.log_softmax(x @ w.T, -1), t, reduction="batchmean"),
        inputs,
        accuracy=kept_in(dtype, 4),
        gradient=Accuracy(24, WORDS),
        wrt=("x", "weight"),
    )


@all_dtypes
def test_cross_entropy_with_tvd(corpus, dtype):
    target = labels()
    kept = target != -100
    inputs = {"student": randn(ROWS, WORDS, dtype=dtype), "teacher": randn(ROWS, WORDS, dtype=dtype, seed=1)}
    function = op("fused_ce_tvd", "LigerFusedCETVDFunction")

    def reference(student, teacher):
        loss = torch.nn.functional.cross_entropy(student, target, ignore_index=-100, reduction="none")
        return loss, 0.5 * (torch.softmax(student, -1) - torch.softmax(teacher, -1)).abs().sum(-1) * kept

    agree_autograd(
        corpus,
        lambda s, t: function(s, t, target),
        reference,
        inputs,
        accuracy=Accuracy(8, WORDS),
        gradient=Accuracy(6, WORDS),
        wrt=("student",),
    )
