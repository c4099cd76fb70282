"""Bounds of reductions and scans, for any order of their sums: n numbers of sizes |x| add up to within n units of sum |x|."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from lockstep.models.bounds.elementwise import exp, rising, settled, truth
from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Places, Value, as_interval, rounded, unit

Dims = Any  # a number, a list of them, None or []: all


def _dims(rank: int, dims: Dims) -> list[int]:
    if dims is None or dims == []:
        return list(range(rank))
    return [one % rank if rank else 0 for one in ([dims] if isinstance(dims, int) else dims)]


def _count(x: torch.Tensor, dims: list[int]) -> int:
    count = 1
    for one in dims:
        count *= x.shape[one] if x.dim() else 1
    return count


def _summed(x: Interval, dims: list[int], keepdim: bool, dtype: str) -> Interval:
    if not x.low.dim():
        return Interval(x.low, x.high, dtype)
    error = (_count(x.low, dims) + 1) * unit(dtype) * x.magnitude().sum(dims, keepdim)
    return rounded(x.low.sum(dims, keepdim) - error, x.high.sum(dims, keepdim) + error, dtype)


def sums(dtype: str, a: Value, dims: Dims = None, keepdim: bool = False, **_: Any) -> Value:
    if dtype not in FLOATS:
        if not isinstance(a, torch.Tensor):
            raise Cannot("a count of comparisons that are too close")
        return a.sum(_dims(a.dim(), dims), keepdim).to(getattr(torch, dtype))
    x = as_interval(a, dtype)
    return _summed(x, _dims(x.low.dim(), dims), keepdim, dtype)


def mean(dtype: str, a: Value, dims: Dims = None, keepdim: bool = False, **_: Any) -> Interval:
    x = as_interval(a, dtype)
    along = _dims(x.low.dim(), dims)
    total, count = _summed(x, along, keepdim, dtype), max(_count(x.low, along), 1)
    return rounded(total.low / count, total.high / count, dtype, 2.5)


def var_mean(dtype: str, a: Value, dims: Dims = None, correction: float | None = None, keepdim: bool = False, **_: Any) -> tuple[Interval, Interval]:
    """Also of Welford's algorithm, whose error grows with the mean: n units of var + |mean| sqrt(var)."""
    x = as_interval(a)
    along = _dims(x.low.dim(), dims)
    middle = mean(x.dtype, x, along, True)
    count = _count(x.low, along)
    low, high = x.low - middle.high, x.high - middle.low
    crosses = (low <= 0) & (high >= 0)
    squares = Interval(torch.where(crosses, 0.0, torch.minimum(low * low, high * high)), torch.maximum(low * low, high * high), x.dtype)
    total = _summed(squares, along, True, x.dtype)
    divisor = count - (1 if correction is None else correction)
    if divisor <= 0:
        raise Cannot("a variance of one number")
    var = Interval(total.low / divisor, total.high / divisor, x.dtype)
    more = 4 * (count + 8) * unit(x.dtype) * (var.magnitude() + middle.magnitude() * var.magnitude().sqrt())
    var = rounded(torch.clamp(var.low - more, min=0.0), var.high + more, x.dtype, 2.5)
    squeeze = (lambda one: one) if keepdim else (lambda one: one.squeeze(along))
    return var.map(squeeze), middle.map(squeeze)


def var(dtype: str, a: Value, *args: Any, **named: Any) -> Interval:
    return var_mean(dtype, a, *args, **named)[0]


def std(dtype: str, a: Value, *args: Any, **named: Any) -> Interval:
    return rising("sqrt", torch.sqrt, 0.0)(dtype, var(dtype, a, *args, **named))


def extreme(name: str) -> Callable[..., Value]:
    """amax, amin: exact."""

    def rule(dtype: str, a: Value, dims: Dims = None, keepdim: bool = False) -> Value:
        function = getattr(torch, name)
        if isinstance(a, torch.Tensor):
            return function(a, _dims(a.dim(), dims), keepdim)
        x = as_interval(a, dtype)
        return x.map(lambda one: function(one, _dims(one.dim(), dims), keepdim))

    return rule


def with_place(name: str) -> Callable[..., tuple[Value, Value]]:
    """max.dim, min.dim, sort, topk: places need exact numbers. Those of equal ones may come in any order, but in a stable sort."""

    def found(one: torch.Tensor, *args: Any, **named: Any) -> tuple[torch.Tensor, Value]:
        values, places = getattr(torch, name)(one, *args, **named)
        numbers = args[1:] if name == "topk" else args
        dim = (numbers[0] if numbers else named.get("dim", -1)) % max(one.dim(), 1)
        in_order = torch.sort(one, dim=dim).values.movedim(dim, -1) if one.dim() else one.reshape(1)
        if named.get("stable") or not bool((in_order[..., 1:] == in_order[..., :-1]).any()):
            return values, places
        keeps = values.dim() == one.dim()
        return values, Places(one, values if keeps else values.unsqueeze(dim), dim, keeps)

    def rule(dtype: str, a: Value, *args: Any, **named: Any) -> tuple[Value, Value]:
        if isinstance(a, torch.Tensor):
            return found(a, *args, **named)
        x = as_interval(a)
        if not x.is_exact:
            raise Cannot(f"{name} of numbers that are not known exactly")
        values, places = found(x.low, *args, **named)
        return Interval(values, values, x.dtype), places

    return rule


def place(name: str) -> Callable[..., torch.Tensor]:
    def rule(dtype: str, a: Value, dim: int | None = None, keepdim: bool = False) -> torch.Tensor:
        if isinstance(a, torch.Tensor):
            return getattr(torch, name)(a, dim, keepdim)
        x = as_interval(a)
        if not x.is_exact:
            raise Cannot(f"{name} of numbers that are not known exactly")
        return getattr(torch, name)(x.low, dim, keepdim)

    return rule


def quantified(name: str) -> Callable[..., Value]:
    """any, all."""

    def rule(dtype: str, a: Value, dims: Dims = None, keepdim: bool = False) -> Value:
        x, function = truth(a), getattr(torch, name)
        along = _dims(x.certain.dim(), dims)
        return settled(x.map(lambda one: function(one, along, keepdim) if one.dim() else one))

    return rule


def cumsum(dtype: str, a: Value, dim: int, **_: Any) -> Value:
    if isinstance(a, torch.Tensor) and dtype not in FLOATS:
        return torch.cumsum(a, dim).to(getattr(torch, dtype))
    x = as_interval(a, dtype)
    count = x.low.shape[dim] if x.low.dim() else 1
    error = (count + 1) * unit(dtype) * torch.cumsum(x.magnitude(), dim)
    return rounded(torch.cumsum(x.low, dim) - error, torch.cumsum(x.high, dim) + error, dtype)


def prod(dtype: str, a: Value, dim: Any = None, keepdim: bool = False, **_: Any) -> Value:
    x = as_interval(a, dtype)
    if not x.is_exact:
        raise Cannot("a product of numbers that are not known exactly")
    value = x.low.prod() if dim is None else x.low.prod(dim, keepdim)
    ulps = 0.5 * (x.low.numel() if dim is None else x.low.shape[dim])
    return rounded(value, value, dtype, ulps)


def softmax_online(dtype: str, a: Value, dim: int) -> tuple[Interval, Interval]:
    """The largest number, and the sum of exponentials of distances from it; rescaled on the way, once per block."""
    x = as_interval(a)
    top = x.map(lambda one: one.amax(dim, True))
    distance = rounded(x.low - top.high, torch.clamp(x.high - top.low, max=0.0), x.dtype)
    total = _summed(exp(x.dtype, distance), [dim], True, x.dtype)
    more = 4 * (x.low.shape[dim] + 8) * unit(x.dtype)
    return top, rounded(total.low * (1 - more), total.high * (1 + more), x.dtype, 8)


def logsumexp(dtype: str, a: Value, dims: Dims, keepdim: bool = False) -> Interval:
    x = as_interval(a)
    along = _dims(x.low.dim(), dims)
    low, high = torch.logsumexp(x.low, along, keepdim), torch.logsumexp(x.high, along, keepdim)
    error = unit(dtype) * (8 * (_count(x.low, along) + 8) + 4 * x.magnitude().amax(along, keepdim))
    return rounded(low - error, high + error, dtype, 8)


def average_pool(dtype: str, a: Value, *args: Any) -> Interval:
    """avg_pool2d, _adaptive_avg_pool2d: sums of a window. Their f64 values, with the error of a sum of as many numbers."""
    x = as_interval(a, dtype)
    function = torch.nn.functional.adaptive_avg_pool2d if len(args) == 1 and len(args[0]) == 2 else torch.nn.functional.avg_pool2d
    count = x.low.shape[-1] * x.low.shape[-2]
    error = (count + 2) * unit(dtype) * function(x.magnitude(), *args)
    return rounded(function(x.low, *args) - error, function(x.high, *args) + error, dtype, 2.5)


def average_pool_backward(dtype: str, slopes: Value, pooled: torch.Tensor, *args: Any) -> Interval:
    """Each slope spread over its window; elements of several windows add up. `pooled`: only its shape counts."""
    x = as_interval(slopes, dtype)

    def spread(one: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.avg_pool2d_backward.default(one, torch.empty(pooled.shape, dtype=torch.float64), *args)

    windows = args[0][0] * args[0][-1]
    error = (windows + 4) * unit(dtype) * spread(x.magnitude())
    return rounded(spread(x.low) - error, spread(x.high) + error, dtype, 2.5)


RULES: dict[str, Callable[..., Any]] = {
    "avg_pool2d_backward": average_pool_backward,
    "sum": sums, "mean": mean, "var_mean": var_mean, "var": var, "std": std, "amax": extreme("amax"), "amin": extreme("amin"), "any": quantified("any"),
    "all": quantified("all"), "argmax": place("argmax"), "argmin": place("argmin"), "cumsum": cumsum, "prod": prod, "sort": with_place("sort"),
    "topk": with_place("topk"), "prepare_softmax_online": softmax_online, "logsumexp": logsumexp, "avg_pool2d": average_pool,
    "_adaptive_avg_pool2d": average_pool, "max": lambda d, a, *rest: with_place("max")(d, a, *rest) if rest else extreme("amax")(d, a),
    "min": lambda d, a, *rest: with_place("min")(d, a, *rest) if rest else extreme("amin")(d, a),
}  # fmt: skip
