"""Bounds of matrix products and convolutions: k products add up to within k units of the product of sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from lockstep.models.bounds.elementwise import add, mul
from lockstep.models.bounds.interval import Interval, Value, as_interval, converted, rounded, unit


def bilinear(function: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], dtype: str, a: Value, b: Value, terms: int) -> Interval:
    """Of an op that is linear in both arguments; each result is a sum of so many products."""
    x, y = as_interval(a, dtype), as_interval(b, dtype)
    if x.is_exact and y.is_exact:
        value, spread = function(x.low, y.low), None
    else:
        (xm, xr), (ym, yr) = _middle(x), _middle(y)
        value = function(xm, ym)
        spread = function(xm.abs(), yr) + function(xr, ym.abs()) + function(xr, yr)
    error = (terms + 2) * unit(dtype) * function(x.magnitude(), y.magnitude())
    error = error if spread is None else error + spread * (1 + 1e-12)
    return rounded(value - error, value + error, dtype)


def _middle(x: Interval) -> tuple[torch.Tensor, torch.Tensor]:
    return (x.low + x.high) / 2, (x.high - x.low) / 2


def product(dtype: str, a: Value, b: Value, *_: Any, **__: Any) -> Interval:
    """mm, bmm, dot, mv."""
    return bilinear(torch.matmul, dtype, a, b, as_interval(a).shape[-1])


def with_bias(dtype: str, bias: Value, a: Value, b: Value, beta: float = 1, alpha: float = 1) -> Interval:
    made: Value = product(dtype, a, b)
    made = made if alpha == 1 else mul(dtype, made, alpha)
    return add(dtype, made, bias if beta == 1 else mul(dtype, bias, beta))


def convolution(dtype: str, a: Value, weight: Value, bias: Value, *how: Any) -> Interval:
    stride, padding, dilation, transposed, output_padding, groups = how

    def run(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.convolution(x, w, None, stride, padding, dilation, transposed, output_padding, groups)

    kernel = as_interval(weight).low
    terms = kernel.numel() // max(kernel.shape[1 if transposed else 0], 1)
    made = bilinear(run, dtype, a, weight, terms)
    if bias is None:
        return made
    made = converted(made, dtype)  # Inductor has ATen convolve without the bias, which a kernel adds to the rounded result
    return add(dtype, made, as_interval(bias).map(lambda one: one.reshape(1, -1, *([1] * (kernel.dim() - 2)))))


RULES: dict[str, Callable[..., Any]] = {
    "mm": product, "bmm": product, "dot": product, "mv": product, "matmul": product, "addmm": with_bias, "baddbmm": with_bias, "convolution": convolution,
}  # fmt: skip
