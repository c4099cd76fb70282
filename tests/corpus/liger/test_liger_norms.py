"""liger-kernel's normalisations against float64: RMS norm in its three casting modes, its fused and modulated forms,
layer norm, group norm, polynomial norm, DyT; outputs and all gradients."""

from __future__ import annotations

import importlib

import pytest
import torch
from support.autograd import Accuracy, agree_autograd, all_dtypes, randn

EPS = 1e-5


def op(module: str, name: str):
    """A function class of liger_kernel.ops; imported here because the package asks for the device when it is
    imported."""
    return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), name).apply


def rms_norm(x: torch.Tensor, weight: torch.Tensor, offset: float = 0.0) -> torch.Tensor:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPS) * (offset + weight)


@all_dtypes
@pytest.mark.parametrize("mode,offset", [("llama", 0.0), ("gemma", 1.0), ("none", 0.0)])
def test_rms_norm(corpus, dtype, mode, offset):
    inputs = {"x": randn(3, 5, 100, dtype=dtype), "weight": randn(100, dtype=dtype, seed=1)}
    function = op("rms_norm", "LigerRMSNormFunction")
    agree_autograd(
        corpus,
        lambda x, w: function(x, w, EPS, offset, mode, False),
        lambda x, w: rms_norm(x, w, offset),
        inputs,
        accuracy=Accuracy(4, 100),
        gradients={"weight": Accuracy(8, 100)},
        wrt=("x", "weight"),
    )


@all_dtypes
def test_rms_norm_in_blocks_of_rows(corpus, dtype):
    """Many short rows take the kernels that hold several rows per program."""
    rows = 4096 * 8
    inputs = {"x": randn(rows, 8, dtype=dtype), "weight": randn(8, dtype=dtype, seed=1)}
    function = op("rms_norm", "LigerRMSNormFunction")
    agree_autograd(
        corpus,
        lambda x, w: function(x, w, EPS, 0.0, "llama", False),
        rms_norm,
        inputs,
        accuracy=Accuracy(4, 8),
        gradients={"weight": Accuracy(8, rows)},
        wrt=("x", "weight"),
    )


@all_dtypes
@pytest.mark.parametrize("mode,offset", [("llama", 0.0), ("gemma", 1.0)])
def test_fused_add_rms_norm(corpus, dtype, mode, offset):
    inputs = {
        "x": randn(3, 5, 100, dtype=dtype),
        "residual": randn(3, 5, 100, dtype=dtype, seed=1),
        "weight": randn(100, dtype=dtype, seed=2),
    }
    function = op("fused_add_rms_norm", "LigerFusedAddRMSNormFunction")

    def reference(x, residual, weight):
        total = (x + residual).to(dtype).double() if not x.requires_grad else x + residual
        return rms_norm(total, weight, offset), total

    agree_autograd(
        corpus,
        lambda x, r, w: function(x, r, w, EPS, offset, mode, False),
        reference,
        inputs,
        accuracy=Accuracy(6, 100),
        gradients={"weight": Accuracy(10, 100)},
        wrt=("x", "residual", "weight"),
    )


@all_dtypes
@pytest.mark.parametrize("rows", [1, 2, 6], ids=["shared", "per-batch", "per-token"])
def test_modulated_rms_norm(corpus, dtype, rows):
    inputs = {
        "x": randn(2, 3, 100, dtype=dtype),
        "weight": randn(100, dtype=dtype, seed=1),
        "scale": randn(rows, 100, dtype=dtype, seed=2),
        "shift": randn(rows, 100, dtype=dtype, seed=3),
    }
    function = op("modulated_rms_norm", "LigerModulatedRMSNormFunction")

    def reference(x, weight, scale, shift):
        def expand(t):
            return t.repeat_interleave(6 // rows, 0).view(2, 3, 100)

        return (1 + expand(scale)) * rms_norm(x, weight) + expand(shift)

    agree_autograd(
        corpus,
        lambda x, w, s, t: function(x, w, s, t, EPS, 0.0, "llama", False),
        reference,
        inputs,
        accuracy=Accuracy(6, 100),
        gradient=Accuracy(10, 100),
        wrt=("x", "weight", "scale", "shift"),
    )


@all_dtypes
def test_layer_norm(corpus, dtype):
    inputs = {
        "x": randn(3, 5, 100, dtype=dtype),
        "weight": randn(100, dtype=dtype, seed=1),
        "bias": randn(100, dtype=dtype, seed=2),
    }
    function = op("layer_norm", "LigerLayerNormFunction")
    agree_autograd(
        corpus,
        lambda x, w, b: function(x, w, b, EPS),
        lambda x, w, b: torch.nn.functional.layer_norm(x, (100,), w, b, EPS),
        inputs,
        accuracy=Accuracy(4, 100),
        gradient=Accuracy(8, 100),
        wrt=("x", "weight", "bias"),
    )


@all_dtypes
@pytest.mark.parametrize("channels,groups", [(6, 3), (4, 1)])
def test_group_norm(corpus, dtype, channels, groups):
    inputs = {
        "x": randn(2, channels, 40, dtype=dtype),
        "weight": randn(channels, dtype=dtype, seed=1),
        "bias": randn(channels, dtype=dtype, seed=2),
    }
    function = op("group_norm", "LigerGroupNormFunction")
    # The mean and the reciprocal deviation are kept in the input's type between the passes.
    agree_autograd(
        corpus,
        lambda x, w, b: function(x, w, b, channels, groups, EPS),
        lambda x, w, b: torch.nn.functional.group_norm(x, groups, w, b, EPS),
        inputs,
        accuracy=Accuracy(4, 160),
        gradient=Accuracy(16, 160),
        wrt=("x", "weight", "bias"),
    )


@all_dtypes
def test_poly_norm(corpus, dtype):
    inputs = {
        "x": randn(4, 100, dtype=dtype),
        "weight": randn(3, dtype=dtype, seed=1),
        "bias": randn(dtype=dtype, seed=2),
    }
    function = op("poly_norm", "LigerPolyNormFunction")

    def reference(x, weight, bias):
        def norm(u):
            return u * torch.rsqrt(u.square().mean(-1, keepdim=True) + 1e-6)

        return weight[0] * norm(x**3) + weight[1] * norm(x**2) + weight[2] * norm(x) + bias

    agree_autograd(
        corpus,
        lambda x, w, b: function(x, w, b, 1e-6, False),
        reference,
        inputs,
        accuracy=Accuracy(4, 100),
        gradients={"x": Accuracy(6, 100), "weight": Accuracy(8, 400, scale=20), "bias": Accuracy(8, 400, scale=20)},
        wrt=("x", "weight", "bias"),
    )


@all_dtypes
@pytest.mark.parametrize("beta", [True, False], ids=["beta", "no-beta"])
def test_dyt(corpus, dtype, beta):
    inputs = {
        "x": randn(2, 7, 96, dtype=dtype),
        "alpha": randn(1, dtype=dtype, seed=1),
        "gamma": randn(96, dtype=dtype, seed=2),
        "beta": randn(96, dtype=dtype, seed=3) if beta else None,
    }
    function = op("dyt", "LigerDyTFunction")

    def reference(x, alpha, gamma, shift):
        return torch.tanh(alpha * x) * gamma + (0.0 if shift is None else shift)

    agree_autograd(
        corpus,
        function,
        reference,
        inputs,
        accuracy=Accuracy(3, 4),
        gradients={"x": Accuracy(4, 4), "alpha": Accuracy(8, 1400, scale=40)},
        gradient=Accuracy(8, 100),
        wrt=("x", "alpha", "gamma", "beta") if beta else ("x", "alpha", "gamma"),
    )
