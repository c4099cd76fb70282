"""Bounds of flex attention: softmax(mod(q k^T scale), masked) v, for any order of blocks and any numbers that the running maximum takes.

The weights of a row may all be scaled alike; that cancels in the quotient. So bounds use one shift for each row, and errors of the
weights are relative. The gradients begin with the logarithms of the sums that the forward pass stored: there the shift is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from lockstep.models.bounds.elementwise import add, div, mul, settled
from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Maybe, Value, as_interval, converted, rounded, unit
from lockstep.models.bounds.movement import index_put
from lockstep.models.bounds.products import bilinear

_SMALLEST_BLOCK = 16  # keys between two rescalings


def flex_attention(_: str, query: Value, key: Value, value: Value, score: Callable[..., Value], mask: tuple[Any, ...], scale: float,
                   options: Any = None, score_buffers: Any = (), mask_buffers: Any = ()) -> tuple[Value, Value, Value]:  # fmt: skip
    """The result, the logarithm to base 2 of the sums, and the largest scores in that unit. Raises Cannot for TF32."""
    made = _scored(query, key, value, score, mask, scale, options, score_buffers, mask_buffers)
    return _weighted(made.changed, made.v)


@dataclass(frozen=True)
class _Scores:
    """What a row's weights come from. `k`, `v`: repeated for each head of the queries; `changed`: after the score mod, -inf where the mask lets nothing through."""

    q: Interval
    k: Interval
    v: Interval
    raw: Interval
    changed: Interval
    allowed: torch.Tensor
    places: list[torch.Tensor]


def _scored(query: Value, key: Value, value: Value, score: Callable[..., Value], mask: tuple[Any, ...], scale: float,
            options: Any, score_buffers: Any, mask_buffers: Any) -> _Scores:  # fmt: skip
    q, k, v = as_interval(query), as_interval(key), as_interval(value)
    dtype = _arithmetic(q)
    if q.dtype == "float32" and ("tf32" in str(options).lower() or torch.get_float32_matmul_precision() != "highest"):
        raise Cannot("products in TF32")
    groups = q.shape[1] // k.shape[1]
    k, v = (one.map(lambda x: x.repeat_interleave(groups, 1).expand(q.shape[0], *([-1] * 3))) for one in (k, v))
    scores = mul(dtype, bilinear(lambda a, b: a @ b.transpose(-2, -1), dtype, q, k, q.shape[-1]), scale)
    places = [torch.arange(size, dtype=torch.int32).reshape([-1 if axis == own else 1 for axis in range(4)]) for own, size in enumerate(scores.shape)]
    changed = as_interval(score(scores, *places, *score_buffers), dtype)
    allowed = _allowed(mask, mask[-1](*places, *mask_buffers), places).expand(scores.shape)
    low, high = (torch.where(allowed, one.expand(scores.shape), -torch.inf) for one in (changed.low, changed.high))
    return _Scores(q, k, v, scores, Interval(low, high, dtype), allowed, places)


def _arithmetic(x: Interval) -> str:
    return "float64" if x.dtype == "float64" else "float32"


def flex_attention_backward(_: str, query: Value, key: Value, value: Value, out: Value, sums: Value, grad_out: Value, grad_sums: Value, score: Callable[..., Value],
                            joint: Callable[..., Value], mask: tuple[Any, ...], scale: float, options: Any = None, score_buffers: Any = (),
                            mask_buffers: Any = ()) -> tuple[Value, Value, Value, Value]:  # fmt: skip
    """The gradients of query, key and value, and of each of `score_buffers` (None where there is none), from the logarithms of the sums (`sums`,
    to base 2) as they are in memory. `joint` gives the slopes of the score, of the four places, and of `score_buffers`. Raises Cannot for
    TF32, and for keys that are shared by queries of several batches."""
    given, made = as_interval(key), _scored(query, key, value, score, mask, scale, options, score_buffers, mask_buffers)
    q, dtype = made.q, _arithmetic(made.q)
    if given.shape[0] != q.shape[0]:
        raise Cannot("keys that queries of several batches share")
    weights = _weights(made, as_interval(sums), dtype)
    slopes = as_interval(grad_out)
    inner = mul(dtype, out, slopes)
    delta = converted(_summed(inner, dtype), q.dtype)
    if grad_sums is not None:
        delta = add(dtype, delta, mul(dtype, grad_sums, 1 / math.log(2)), sign=-1)
    to_weights = bilinear(lambda a, b: a @ b.transpose(-2, -1), dtype, slopes, made.v, slopes.shape[-1])
    to_changed = mul(dtype, weights, add(dtype, to_weights, delta.map(lambda one: one.unsqueeze(-1)), sign=-1))
    slope, *others = joint(made.raw, *made.places, to_changed, *score_buffers)
    to_scores = as_interval(slope, dtype)
    low, high = (torch.where(made.allowed, one.expand(made.raw.shape), 0.0) for one in (to_scores.low, to_scores.high))
    narrow, narrow_weights = (converted(one, q.dtype) for one in (Interval(low, high, dtype), weights))
    to_query = bilinear(torch.matmul, dtype, narrow, made.k, made.k.shape[-2])
    to_key, to_value = (_by_key(dtype, one, other, given.shape[1]) for one, other in ((narrow, q), (narrow_weights, slopes)))
    scaled = [mul(dtype, one, scale) for one in (to_query, to_key)]
    dq, dk, dv = (Interval(one.low, one.high, q.dtype) for one in (*scaled, to_value))
    return dq, dk, dv, tuple(others[len(made.places) :])


def scattered(_: str, shape: list[int], places: list[Any], slopes: Value) -> Interval:
    """Of what a score mod reads: atomics add up the slopes in f32, each element's at its place."""
    x = as_interval(slopes)
    return index_put("float32", torch.zeros(shape), [one.expand(x.shape) for one in places], x, True)


def _weights(made: _Scores, sums: Interval, dtype: str) -> Interval:
    """2^(score log2(e) - sum). A row without a key has the sum -inf, and weights of 0."""
    least, most = ((torch.where(one.isinf(), 0.0, one)).unsqueeze(-1) for one in (sums.low, sums.high))
    low, high = made.changed.low / math.log(2) - most, made.changed.high / math.log(2) - least
    size = torch.where(made.changed.high.isinf(), 0.0, made.changed.magnitude() / math.log(2)) + torch.maximum(least.abs(), most.abs())
    error = 4 * unit(dtype) * size
    ends = rounded(torch.exp2(low - error), torch.exp2(high + error), dtype, 4)
    return Interval(torch.where(made.allowed, ends.low.clamp(min=0), 0.0), torch.where(made.allowed, ends.high, 0.0), dtype)


def _summed(x: Interval, dtype: str) -> Interval:
    """The sums of the last dimension, in any order."""
    error = (x.shape[-1] + 2) * unit(dtype) * x.magnitude().sum(-1)
    return rounded(x.low.sum(-1) - error, x.high.sum(-1) + error, dtype)


def _by_key(dtype: str, weights: Interval, rows: Interval, heads: int) -> Interval:
    """weights^T rows: of each head of the keys, over all queries of the heads that share it."""

    def grouped(x: torch.Tensor) -> torch.Tensor:
        return x.reshape(x.shape[0], heads, -1, x.shape[-1])

    a, b = weights.map(grouped), rows.map(grouped)
    return bilinear(lambda x, y: x.transpose(-2, -1) @ y, dtype, a, b, a.shape[-2])


def _allowed(mask: tuple[Any, ...], by_element: Value, places: list[torch.Tensor]) -> torch.Tensor:
    """Elements of full blocks, and of the other listed blocks those that the mask lets through."""
    by_element = settled(by_element) if isinstance(by_element, Maybe) else by_element
    if not isinstance(by_element, (torch.Tensor, bool)):
        raise Cannot("a mask of numbers that are too close")
    partial, full = _blocks(mask[2], mask[3]), _blocks(mask[4], mask[5])
    rows, columns = places[2].reshape(-1) // mask[-3], places[3].reshape(-1) // mask[-2]
    of_elements = [one[..., rows, :][..., columns] if one is not None else torch.tensor(False) for one in (partial, full)]
    return (of_elements[0] & torch.as_tensor(by_element)) | of_elements[1]


def _blocks(counts: Any, numbers: Any) -> torch.Tensor | None:
    """Which blocks of keys are listed for each block of queries."""
    if counts is None or numbers is None:
        return None
    places = numbers.long()
    is_listed = torch.arange(places.shape[-1]) < counts.unsqueeze(-1)
    spare = int(places.max()) + 1 if places.numel() else 0
    width = max(spare, places.shape[-1])
    dense = torch.zeros(*places.shape[:-1], width + 1, dtype=torch.bool)
    return dense.scatter_(-1, torch.where(is_listed, places, width), True)[..., :width]


def _weighted(scores: Interval, v: Interval) -> tuple[Value, Value, Value]:
    dtype, count = scores.dtype, scores.shape[-1]
    top = scores.high.amax(-1, True)
    is_empty = top.isinf()
    shift = torch.where(is_empty, 0.0, top)
    size = torch.where(scores.high.isinf(), 0.0, scores.magnitude())
    more = 4 * unit(dtype) * (torch.clamp(size.amax(-1, True), max=1e4) + 8)
    low, high = torch.exp(scores.low - shift) * (1 - more), torch.exp(scores.high - shift) * (1 + more)
    relative = (count + 2 + 8 * math.ceil(count / _SMALLEST_BLOCK)) * unit(dtype)
    total = rounded(low.sum(-1, True) * (1 - relative), high.sum(-1, True) * (1 + relative), dtype)
    if v.dtype in ("float16", "bfloat16"):  # the weights are rounded to the values' type
        limits = torch.finfo(FLOATS[v.dtype])
        low, high = low * (1 - limits.eps) - limits.tiny, torch.where(high > 0, high * (1 + limits.eps) + limits.tiny, 0.0)
        low = torch.clamp(low, min=0.0)
    error = relative * (high @ v.magnitude())
    least = low @ v.low.clamp(min=0) + high @ v.low.clamp(max=0) - error
    most = high @ v.high.clamp(min=0) + low @ v.high.clamp(max=0) + error
    made = div(dtype, rounded(least, most, dtype), total)
    free = is_empty.expand(made.shape)  # rows without a key: not compared
    made = Interval(torch.where(free, torch.nan, made.low), torch.where(free, torch.nan, made.high), v.dtype)
    logs, tops = _in_powers_of_two(total, shift, is_empty, dtype), Interval(scores.low.amax(-1) / math.log(2), scores.high.amax(-1) / math.log(2), dtype)
    return made, logs, rounded(tops.low, tops.high, dtype, 2)


def _in_powers_of_two(total: Interval, shift: torch.Tensor, is_empty: torch.Tensor, dtype: str) -> Interval:
    ends = [torch.where(is_empty, torch.nan, (torch.log(one) + shift) / math.log(2)).squeeze(-1) for one in (total.low, total.high)]
    error = 8 * unit(dtype) * (shift.squeeze(-1).abs() + 8)
    return rounded(ends[0] - error, ends[1] + error, dtype, 4)


RULES: dict[str, Callable[..., Any]] = {
    "flex_attention": flex_attention, "flex_attention_backward": flex_attention_backward, "zeros_and_scatter": scattered,
}  # fmt: skip
