"""Definitions of the softmax attentions, in the dtype of the inputs (float64).

Tensors are [batch, time, heads, size].
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import torch
from recurrences import heads_like

Tensor = torch.Tensor


def visible(queries: int, keys: int, window: int | None = None) -> Tensor:
    """Which key a query may see: those up to its own place, the last `window` of them. Queries are the last rows of the
    keys.
    """
    place = torch.arange(keys - queries, keys).unsqueeze(-1)
    column = torch.arange(keys)
    mask = column <= place
    return mask if window is None else mask & (place - column < window)


def scores(q: Tensor, k: Tensor, scale: float | None = None) -> Tensor:
    """[batch, heads, queries, keys]"""
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    return torch.einsum("bihd,bjhd->bhij", q * scale, heads_like(k, q.shape[2]))


def differences(gate: Tensor) -> Tensor:
    """sum of the logarithmic gates between key j and query i: [batch, heads, i, j] from [batch, time, heads]."""
    total = gate.cumsum(1).transpose(1, 2)
    return total.unsqueeze(-1) - total.unsqueeze(-2)


def mix(logits: Tensor, v: Tensor, window: int | None = None, sink: Tensor | None = None) -> Tensor:
    """Softmax over the visible keys (and a sink that has no value), then the mean of v."""
    heads, queries, keys = logits.shape[1:]
    logits = logits.masked_fill(~visible(queries, keys, window), float("-inf"))
    if sink is not None:
        column = sink.view(1, heads, 1, 1).expand(logits.shape[0], heads, queries, 1)
        logits = torch.cat((logits, column), -1)
    weights = logits.softmax(-1)[..., :keys]
    return torch.einsum("bhij,bjhd->bihd", weights, heads_like(v, heads))


def softmax_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    g: Tensor | None = None,
    scale: float | None = None,
    window: int | None = None,
    sink_bias: Tensor | None = None,
) -> Tensor:
    """Causal attention; g: logarithmic forget gate per query head; sink_bias: a logit per query head."""
    logits = scores(q, k, scale)
    return mix(logits if g is None else logits + differences(g), v, window, sink_bias)


def parallax(q: Tensor, r: Tensor, k: Tensor, v: Tensor, *, window: int | None = None) -> Tensor:
    """Attention p, corrected to first order: p v (1 + p.s) - (p s) v with s = r k^T."""
    slope = scores(r, k, 1.0)
    heads, queries, keys = slope.shape[1:]
    weights = scores(q, k).masked_fill(~visible(queries, keys, window), float("-inf")).softmax(-1)
    tilted = weights * slope
    values = heads_like(v, heads)
    mean = torch.einsum("bhij,bjhd->bihd", weights, values)
    return mean * (1 + tilted.sum(-1).transpose(1, 2).unsqueeze(-1)) - torch.einsum("bhij,bjhd->bihd", tilted, values)


def wall(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    g: Tensor,
    *,
    scale: float,
    g_scalar: Tensor | None = None,
    sink_bias: Tensor | None = None,
    window: int | None = None,
) -> Tensor:
    """Attention whose every channel of q k^T decays by its own gate; g_scalar is a forget gate on top."""
    total = g.cumsum(1)
    decay = (total.unsqueeze(2) - total.unsqueeze(1)).exp()
    keys = heads_like(k, q.shape[2])
    logits = (q.unsqueeze(2) * keys.unsqueeze(1) * decay).sum(-1).permute(0, 3, 1, 2) * scale
    return mix(logits if g_scalar is None else logits + differences(g_scalar), v, window, sink_bias)


def each_sequence(rule: Callable[..., Tensor], offsets: Sequence[int]) -> Callable[..., Tensor]:
    """`rule` on each packed sequence; tensors with fewer than three dimensions are the same for all."""

    def run(**inputs: Tensor) -> Tensor:
        parts = [
            rule(**{name: x[:, begin:end] if x.ndim >= 3 else x for name, x in inputs.items()})
            for begin, end in itertools.pairwise(offsets)
        ]
        return torch.cat(parts, 1)

    return run
