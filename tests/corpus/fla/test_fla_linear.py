"""Linear attention and its relatives with decay per head: chunk, fused chunk, fused recurrent, parallel; forward and
backward.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from recorder import Recorder
from recurrence_check import check_recurrence, gated_backward_is_allowed
from recurrences import linear
from sequence_shapes import Draw, shape

from compare import agree, dtype_cases

# q, k, v, the tile of q k^T, the state between chunks, the partial products of the chunk: eight roundings follow one
# another at most.
ROUNDINGS = 8


def _per_head(decay: torch.Tensor) -> Callable[..., Any]:
    """`linear` with the same decay at every step, by head."""

    def rule(q: torch.Tensor, **rest: torch.Tensor) -> Any:
        return linear(q=q, decay=decay.double().expand(q.shape[0], q.shape[1], -1), **rest)

    return rule


def _retention_decay(heads: int) -> torch.Tensor:
    return (1 - 2.0 ** (-5.0 - torch.arange(heads, dtype=torch.float64))).log()


@dtype_cases("plain", "ragged", "states", "packed", ci=("states-bf16",))
@pytest.mark.parametrize("form", ["chunk", "fused_chunk", "fused_recurrent", "parallel"])
def test_simple_gla(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import simple_gla

    sizes = shape(variant)
    if form == "parallel" and sizes.states:
        sizes.states = False
    draw = Draw(sizes)
    inputs = draw.attention() | {"g": draw.gate()}

    def rule(g: torch.Tensor, **rest: torch.Tensor) -> Any:
        return linear(decay=g, **rest)

    operation = getattr(simple_gla, f"{form}_simple_gla")
    backward = form != "chunk" or gated_backward_is_allowed()
    check_recurrence(corpus, sizes, operation, rule, inputs, dtype, roundings=ROUNDINGS, backward=backward)


@dtype_cases("plain", "ragged", "states", "packed", ci=("packed-f16",))
@pytest.mark.parametrize("form", ["chunk", "fused_chunk", "fused_recurrent", "parallel"])
def test_retention(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import retention

    sizes = shape(variant)
    if form == "parallel":
        from fla.ops.retention.parallel import parallel_retention as operation

        sizes.states = False
    else:
        operation = getattr(retention, f"{form}_retention")
    check_recurrence(
        corpus,
        sizes,
        operation,
        _per_head(_retention_decay(sizes.heads)),
        Draw(sizes).attention(),
        dtype,
        roundings=ROUNDINGS,
    )


@dtype_cases("plain", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_lightning(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import lightning_attn

    sizes = shape(variant)
    # A late layer: where exp(63 * decay) overflows, fla's chunk kernels multiply infinity by the zeros behind a
    # sequence's end.
    layer, layers = 7.0, 8.0  # no integers, which campaigns take for sizes: the slope's 8 is fla's
    decay = -8.0 / sizes.heads * (1 - layer / layers) * torch.arange(sizes.heads, dtype=torch.float64)
    operation = partial(getattr(lightning_attn, f"{form}_lightning_attn"), layer_idx=layer, num_layers=layers)
    check_recurrence(corpus, sizes, operation, _per_head(decay), Draw(sizes).attention(), dtype, roundings=ROUNDINGS)


@dtype_cases("plain", "ragged", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_chunk", "fused_recurrent"])
def test_linear_attention(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import linear_attn

    sizes = shape(variant)
    operation = partial(getattr(linear_attn, f"{form}_linear_attn"), normalize=False)
    check_recurrence(corpus, sizes, operation, linear, Draw(sizes).attention(), dtype, roundings=ROUNDINGS)


@dtype_cases("plain", "ragged")
def test_normalised_linear_attention(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.linear_attn import chunk_linear_attn

    draw = Draw(shape(variant))
    # Small keys: fla squares the weights' sum in the dtype, and float16 ends at 65504.
    inputs = {"q": draw.keys().abs() + 0.5, "k": (draw.keys().abs() + 0.5) / 64, "v": draw.values()}

    def reference(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        weight = (q * q.shape[-1] ** -0.5 * k.cumsum(1)).sum(-1, keepdim=True)
        return linear(q, k, v)[0] / weight

    # The running sum of k is rounded to the dtype, and the quotient's gradient is a difference of two terms that nearly
    # cancel.
    agree(
        corpus,
        lambda **tensors: chunk_linear_attn(**tensors)[0],
        reference,
        inputs,
        dtype,
        roundings=64,
        cancelling=("q",),
    )


@dtype_cases("plain", "ragged", "states", "packed", ci=("states-bf16",))
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_gla(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import gla

    sizes = shape(variant)
    draw = Draw(sizes)
    gate = {"chunk": "g", "fused_recurrent": "gk"}[form]
    inputs = draw.attention() | {gate: draw.gate(sizes.keys)}

    def rule(**tensors: torch.Tensor) -> Any:
        return linear(decay_k=tensors.pop(gate), **tensors)

    check_recurrence(corpus, sizes, getattr(gla, f"{form}_gla"), rule, inputs, dtype, roundings=ROUNDINGS)


@dtype_cases("states")
def test_gla_reversed_with_both_gates(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.gla import fused_recurrent_gla

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention() | {"gk": draw.gate(sizes.keys), "gv": draw.gate(sizes.values)}

    def rule(gk: torch.Tensor, gv: torch.Tensor, **rest: torch.Tensor) -> Any:
        return linear(decay_k=gk, decay_v=gv, reverse=True, **rest)

    check_recurrence(
        corpus, sizes, partial(fused_recurrent_gla, reverse=True), rule, inputs, dtype, roundings=ROUNDINGS
    )


@dtype_cases("plain", "ragged", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_rwkv6(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import rwkv6

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention() | {"w": draw.gate(sizes.keys), "u": draw.normal(sizes.heads, sizes.keys)}
    inputs["r"] = inputs.pop("q")

    def rule(r: torch.Tensor, w: torch.Tensor, u: torch.Tensor, **rest: torch.Tensor) -> Any:
        return linear(q=r, decay_k=w, bonus=u, **rest)

    leading = 1 if form == "fused_recurrent" else None  # its backward pass ignores the gradient of the final state
    check_recurrence(
        corpus, sizes, getattr(rwkv6, f"{form}_rwkv6"), rule, inputs, dtype, roundings=ROUNDINGS, leading=leading
    )
