"""The delta rules: plain, gated (per head, per key, per value), Comba, KDA, GDN2, Oja, products, DPLR, IPLR, RWKV7,
MesaNet.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
import triton
from recorder import Recorder
from recurrence_check import check_recurrence, gated_backward_is_allowed
from recurrences import delta, low_rank, oja
from sequence_shapes import Draw, Shape, shape

from compare import HALVES, agree, dtype_cases

Tensor = torch.Tensor
# Beside those of linear attention (8): the triangle k k^T, its inverse by blocks (4 products), w, u and the corrected
# values.
ROUNDINGS = 16
# tf32=True: the kernels ask for tf32 in the triangle's inverse, whatever float32's default is.


@dtype_cases("plain", "ragged", "states", "packed", ci=("states-bf16",))
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_delta_rule(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import delta_rule

    if form == "chunk" and dtype == torch.float32:
        pytest.skip("chunk_delta_rule refuses float32")
    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | {"beta": draw.beta()}
    check_recurrence(
        corpus, sizes, getattr(delta_rule, f"{form}_delta_rule"), delta, inputs, dtype, roundings=ROUNDINGS
    )


@dtype_cases("plain", "ragged", "grouped", "states", "packed", ci=("states-bf16", "ragged-f16", "packed-f32"))
def test_gated_delta_rule_chunk(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | {"beta": draw.beta(), "g": draw.gate()}
    check_recurrence(
        corpus,
        sizes,
        chunk_gated_delta_rule,
        delta,
        inputs,
        dtype,
        roundings=ROUNDINGS,
        tf32=True,
        backward=gated_backward_is_allowed(),
    )


@dtype_cases("plain", "ragged", "grouped", "states", "packed", ci=("grouped-bf16",))
def test_gated_delta_rule_recurrent(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.gated_delta_rule import fused_recurrent_gated_delta_rule

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | {"beta": draw.beta(), "g": draw.gate()}
    if variant != "ragged":  # see test_fla_findings.py
        inputs |= {"gk": draw.gate(sizes.keys), "gv": draw.gate(sizes.values)}
    check_recurrence(
        corpus, sizes, fused_recurrent_gated_delta_rule, delta, inputs, dtype, roundings=ROUNDINGS, backward=False
    )


def _gate(x: Tensor, a_log: Tensor, dt_bias: Tensor) -> Tensor:
    return -a_log.exp() * F.softplus(x + dt_bias)


def _unit(x: Tensor) -> Tensor:
    return x / (x.square().sum(-1, keepdim=True) + 1e-6).sqrt()


@dtype_cases("grouped", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_gated_delta_rule_all_in_kernel(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    """Normalised q and k, sigmoid of beta, and the gate's softplus inside the kernels."""
    from fla.ops import gated_delta_rule

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention() | {
        "g": draw.normal(sizes.batch, sizes.time, sizes.v_heads),
        "beta": draw.normal(sizes.batch, sizes.time, sizes.v_heads),
        "A_log": draw.uniform(sizes.v_heads, low=-1).float(),
        "dt_bias": draw.normal(sizes.v_heads).float(),
    }

    def rule(q: Tensor, k: Tensor, g: Tensor, beta: Tensor, A_log: Tensor, dt_bias: Tensor, **rest: Tensor) -> Any:
        return delta(_unit(q), _unit(k), beta=2 * beta.sigmoid(), g=_gate(g, A_log, dt_bias), **rest)

    options: dict[str, Any] = {
        "use_qk_l2norm_in_kernel": True,
        "use_beta_sigmoid_in_kernel": True,
        "use_gate_in_kernel": True,
        "allow_neg_eigval": True,
    }
    check_recurrence(
        corpus,
        sizes,
        getattr(gated_delta_rule, f"{form}_gated_delta_rule"),
        rule,
        inputs,
        dtype,
        roundings=ROUNDINGS + 8,
        backward=form == "chunk" and gated_backward_is_allowed(),
        tf32=True,
        **options,
    )


@dtype_cases("plain", "ragged", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_comba(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import comba

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | {"p": draw.keys(unit=True), "beta": draw.beta(), "g": draw.gate()}

    def rule(p: Tensor, **rest: Tensor) -> Any:
        return delta(erase=p, erase_first=True, **rest)

    backward = form == "chunk" and gated_backward_is_allowed()
    check_recurrence(
        corpus, sizes, getattr(comba, f"{form}_comba"), rule, inputs, dtype, roundings=ROUNDINGS, backward=backward
    )


def _arguments(name: str, draw: Draw) -> dict[str, Tensor]:
    sizes = draw.sizes
    shared = draw.attention(unit=True)
    if name == "gdn2":
        return shared | {"g": draw.gate(sizes.keys), "b": draw.beta(sizes.keys), "w": draw.beta(sizes.values)}
    return shared | {"beta": draw.beta()} | {"gk" if name == "gated_delta_rule" else "g": draw.gate(sizes.keys)}


def _whole_blocks(sizes: Shape, form: str) -> Shape:
    """Head sizes that the recurrent kernels' unmasked gates can bear."""
    if form == "fused_recurrent":
        sizes.keys = triton.next_power_of_2(sizes.keys)
    return sizes


@dtype_cases("plain", "ragged", "grouped", "states", "packed", ci=("states-bf16",))
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_kda(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import kda

    sizes = _whole_blocks(shape(variant), form)
    draw = Draw(sizes)
    inputs = _arguments("kda", draw)

    def rule(g: Tensor, **rest: Tensor) -> Any:
        return delta(gk=g, **rest)

    check_recurrence(
        corpus,
        sizes,
        getattr(kda, f"{form}_kda"),
        rule,
        inputs,
        dtype,
        roundings=ROUNDINGS,
        backward=form == "chunk",
        tf32=form == "chunk",
    )


@dtype_cases("grouped", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_kda_all_in_kernel(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import kda

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention() | {
        "g": draw.normal(sizes.batch, sizes.time, sizes.v_heads, sizes.keys),
        "beta": draw.normal(sizes.batch, sizes.time, sizes.v_heads),
        "A_log": draw.uniform(sizes.v_heads, low=-1).float(),
        "dt_bias": draw.normal(sizes.v_heads * sizes.keys).float(),
    }

    def rule(q: Tensor, k: Tensor, g: Tensor, beta: Tensor, A_log: Tensor, dt_bias: Tensor, **rest: Tensor) -> Any:
        gate = _gate(g, A_log.unsqueeze(-1), dt_bias.view(sizes.v_heads, sizes.keys))
        return delta(_unit(q), _unit(k), beta=beta.sigmoid(), gk=gate, **rest)

    options: dict[str, Any] = {
        "use_qk_l2norm_in_kernel": True,
        "use_gate_in_kernel": True,
        "use_beta_sigmoid_in_kernel": True,
    }
    check_recurrence(
        corpus,
        sizes,
        getattr(kda, f"{form}_kda"),
        rule,
        inputs,
        dtype,
        roundings=ROUNDINGS + 8,
        backward=form == "chunk",
        tf32=True,
        **options,
    )


@dtype_cases("plain", "ragged", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_gdn2(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import gdn2

    sizes = _whole_blocks(shape(variant), form)
    draw = Draw(sizes)
    inputs = _arguments("gdn2", draw)

    def rule(k: Tensor, v: Tensor, g: Tensor, b: Tensor, w: Tensor, **rest: Tensor) -> Any:
        return delta(k=k, v=w * v, beta=torch.ones_like(v[..., 0]), gk=g, erase=b * k, **rest)

    check_recurrence(
        corpus,
        sizes,
        getattr(gdn2, f"{form}_gdn2"),
        rule,
        inputs,
        dtype,
        roundings=ROUNDINGS,
        backward=form == "chunk",
        tf32=form == "chunk",
    )


@dtype_cases("plain", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_gated_oja_rule(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import gated_oja_rule

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | {"beta": draw.beta(), "gv": draw.gate(sizes.values)}
    inputs["v"] = F.normalize(inputs["v"], dim=-1)
    check_recurrence(
        corpus,
        sizes,
        getattr(gated_oja_rule, f"{form}_gated_oja_rule"),
        oja,
        inputs,
        dtype,
        roundings=ROUNDINGS,
        backward=form == "chunk",
    )


@dtype_cases("plain", "states", "packed", dtypes=HALVES)
@pytest.mark.parametrize("gated", [False, True])
def test_gated_delta_product(corpus: Recorder, gated: bool, variant: str, dtype: torch.dtype) -> None:
    """Two reflections at every step of time: q and g stand at the last of the two."""
    from fla.ops.gated_delta_product import chunk_gated_delta_product

    sizes, steps = shape(variant), 2
    long = shape(variant)
    long.time *= steps
    inputs = Draw(sizes).attention(unit=True) | {"g": Draw(sizes).gate()}
    inputs |= {"k": Draw(long).keys(unit=True), "v": Draw(long).values(), "beta": Draw(long, seed=5).beta()}
    if not gated:
        del inputs["g"]

    def rule(q: Tensor, g: Tensor | None = None, **rest: Tensor) -> Any:
        spread = q.new_zeros(q.shape[0], q.shape[1] * steps, *q.shape[2:])
        spread[:, steps - 1 :: steps] = q
        if g is not None:
            decay = g.new_zeros(g.shape[0], g.shape[1] * steps, *g.shape[2:])
            decay[:, ::steps] = g
            rest["g"] = decay
        out, state = delta(spread, **rest)
        return out[:, steps - 1 :: steps], state

    def packed(*, initial_state: Tensor, **tensors: Tensor) -> Any:
        rows = []
        for i, (begin, end) in enumerate(zip(sizes.offsets, sizes.offsets[1:], strict=False)):
            part = {
                name: x[:, begin * steps : end * steps] if name in "kvbeta" else x[:, begin:end]
                for name, x in tensors.items()
            }
            rows.append(rule(initial_state=initial_state[i : i + 1], **part))
        return torch.cat([row[0] for row in rows], 1), torch.cat([row[1] for row in rows])

    def run(**tensors: Tensor) -> Any:
        return chunk_gated_delta_product(
            **{"g": None} | tensors, num_householder=steps, output_final_state=sizes.states, cu_seqlens=sizes.cu_seqlens
        )

    def expected(**tensors: Tensor) -> Any:
        out, state = (packed if sizes.offsets else rule)(**tensors)
        return (out, state) if sizes.states else (out,)

    agree(corpus, run, expected, inputs, dtype, roundings=ROUNDINGS, backward=not gated or gated_backward_is_allowed())


def _rank_one(draw: Draw) -> dict[str, Tensor]:
    """a and b = -a * gain: the state stays bounded."""
    a = draw.keys(unit=True)
    return {"a": -a, "b": a * draw.beta(1, high=1.0)}


@dtype_cases("plain", "ragged", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_dplr(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import generalized_delta_rule

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | _rank_one(draw) | {"gk": draw.gate(sizes.keys, low=0.7)}
    check_recurrence(
        corpus,
        sizes,
        getattr(generalized_delta_rule, f"{form}_dplr_delta_rule"),
        low_rank,
        inputs,
        dtype,
        roundings=ROUNDINGS,
        backward=form == "chunk",
    )


@dtype_cases("plain", "states", "packed", ci=("states-bf16",))
def test_rwkv7(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.rwkv7 import chunk_rwkv7

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | _rank_one(draw) | {"w": draw.gate(sizes.keys, low=0.7)}
    inputs["r"] = inputs.pop("q")

    def rule(r: Tensor, w: Tensor, **rest: Tensor) -> Any:
        return low_rank(r, gk=w, scale=1.0, **rest)

    check_recurrence(
        corpus,
        sizes,
        partial(chunk_rwkv7, safe_gate=variant == "plain", chunk_size=64 if variant == "plain" else None),
        rule,
        inputs,
        dtype,
        roundings=ROUNDINGS,
    )


@dtype_cases("ragged", "states")
def test_rwkv7_decoding(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.rwkv7 import fused_mul_recurrent_rwkv7

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | {
        "w": draw.gate(sizes.keys, low=0.7),
        "kk": draw.keys(unit=True),
        "a": draw.uniform(sizes.batch, sizes.time, sizes.heads, sizes.keys),
    }
    inputs["r"] = inputs.pop("q")

    def rule(r: Tensor, w: Tensor, kk: Tensor, a: Tensor, **rest: Tensor) -> Any:
        return low_rank(r, gk=w, a=-kk, b=kk * a, scale=1.0, **rest)

    check_recurrence(corpus, sizes, fused_mul_recurrent_rwkv7, rule, inputs, dtype, roundings=ROUNDINGS, backward=False)


@dtype_cases("plain", "ragged", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_iplr(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import generalized_delta_rule

    sizes = shape(variant)
    draw = Draw(sizes)
    inputs = draw.attention(unit=True) | _rank_one(draw)
    operation = getattr(generalized_delta_rule, f"{form}_iplr_delta_rule")
    if form == "fused_recurrent" and sizes.offsets:
        pytest.skip("fla keeps too small a final state: test_fla_findings.py")
    check_recurrence(
        corpus, sizes, operation, low_rank, inputs, dtype, roundings=ROUNDINGS, backward=form == "fused_recurrent"
    )
