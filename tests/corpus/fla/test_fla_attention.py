"""Attention with a softmax or a polynomial: parallel, forgetting, PaTH, Parallax, Wall, NSA, Based, ReBased, AttnRes,
decoding.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from attention_rules import each_sequence, parallax, softmax_attention, wall
from recorder import Recorder
from sequence_shapes import Draw, Shape, on_gpu

from compare import HALVES, agree, dtype_cases, in_float64

Tensor = torch.Tensor
# q, k, v, the weights, their running maximum's correction, the product with v, and the softmax's difference in the
# backward pass.
ROUNDINGS = 12
OFFSETS = [0, 15, 79, 150]


def _sizes(variant: str) -> Shape:
    """Query heads are `value_heads`, key and value heads `heads`."""
    return {
        "plain": Shape(time=128, heads=2, value_heads=2, keys=32, values=32),
        "ragged": Shape(batch=2, time=77, heads=1, value_heads=2, keys=60, values=100),
        "grouped": Shape(time=70, heads=1, value_heads=4, keys=16, values=16),
        "packed": Shape(time=150, heads=2, value_heads=2, keys=32, values=32, offsets=OFFSETS),
    }[variant]


def _qkv(draw: Draw) -> dict[str, Tensor]:
    s = draw.sizes
    return {
        "q": draw.normal(s.batch, s.time, s.v_heads, s.keys),
        "k": draw.normal(s.batch, s.time, s.heads, s.keys),
        "v": draw.normal(s.batch, s.time, s.heads, s.values),
    }


def _check(
    corpus: Recorder,
    sizes: Shape,
    operation: Any,
    rule: Any,
    inputs: dict[str, Tensor],
    dtype: torch.dtype,
    roundings: int = ROUNDINGS,
    tf32: bool = False,
) -> None:
    options = {"cu_seqlens": sizes.cu_seqlens} if sizes.offsets else {}
    reference = each_sequence(rule, sizes.offsets) if sizes.offsets else rule
    agree(
        corpus,
        lambda **tensors: operation(**tensors, **options),
        reference,
        inputs,
        dtype,
        roundings=roundings,
        cancelling=("g", "g_scalar", "sink_bias"),
        tf32=tf32,
    )


@dtype_cases("plain", "ragged", "grouped", "packed", ci=("grouped-bf16", "packed-f16"))
@pytest.mark.parametrize("window", [None, 33])
def test_parallel_attention(corpus: Recorder, window: int | None, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.attn import parallel_attn

    sizes = _sizes(variant)
    _check(
        corpus,
        sizes,
        partial(parallel_attn, window_size=window),
        partial(softmax_attention, window=window),
        _qkv(Draw(sizes)),
        dtype,
    )


@dtype_cases("plain", "grouped", "packed")
def test_parallel_attention_with_gate_and_sink(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.attn import parallel_attn

    sizes = _sizes(variant)
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"g": draw.gate(heads=sizes.v_heads), "sink_bias": draw.normal(sizes.v_heads).float()}
    _check(corpus, sizes, parallel_attn, softmax_attention, inputs, dtype)


@dtype_cases("plain", "ragged", "grouped", "packed")
def test_forgetting_attention(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.forgetting_attn import parallel_forgetting_attn

    sizes = _sizes(variant)
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"g": draw.gate(heads=sizes.v_heads)}
    _check(corpus, sizes, parallel_forgetting_attn, softmax_attention, inputs, dtype)


@dtype_cases("plain", "grouped")
@pytest.mark.parametrize("gated", [False, True])
def test_decoding(corpus: Recorder, gated: bool, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.attn.decoding import attn_decoding_one_step

    sizes = _sizes(variant)
    offsets = [0, 5, 40, sizes.time]
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"q": draw.normal(1, len(offsets) - 1, sizes.v_heads, sizes.keys)}
    if gated:
        inputs["g"] = draw.gate(heads=sizes.v_heads)

    def reference(q: Tensor, k: Tensor, v: Tensor, g: Tensor | None = None) -> Tensor:
        rows = []
        for i, (begin, end) in enumerate(itertools.pairwise(offsets)):
            queries = q[:, i : i + 1].expand(-1, end - begin, -1, -1)
            gate = None if g is None else g[:, begin:end]
            rows.append(softmax_attention(queries, k[:, begin:end], v[:, begin:end], g=gate)[:, -1:])
        return torch.cat(rows, 1)

    operation = partial(attn_decoding_one_step, cu_seqlens=on_gpu(offsets))
    agree(corpus, operation, reference, inputs, dtype, roundings=ROUNDINGS, backward=False)


@dtype_cases("plain", "grouped", "packed")
@pytest.mark.parametrize("gated", [False, True])
def test_path_attention(corpus: Recorder, gated: bool, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.path_attn import naive_path_attn, parallel_path_attn

    sizes = _sizes(variant)
    draw = Draw(sizes)
    width = (sizes.batch, sizes.time, sizes.heads)
    inputs = _qkv(draw) | {
        "w": F.normalize(draw.normal(*width, sizes.keys), dim=-1).float(),
        "beta": draw.uniform(*width).float(),
    }
    if gated:
        inputs["g"] = draw.gate(heads=sizes.v_heads)

    def reference(q: Tensor, g: Tensor | None = None, **rest: Tensor) -> Tensor:
        return in_float64(naive_path_attn)(
            q=q, g=q.new_zeros(q.shape[:3]) if g is None else g, scale=q.shape[-1] ** -0.5, **rest
        )

    def operation(**tensors: Any) -> Tensor:
        return parallel_path_attn(**tensors)[0]

    # Its kernels keep products of reflections in tf32.
    _check(corpus, sizes, operation, reference, inputs, dtype, roundings=24, tf32=True)


@dtype_cases("plain", "ragged", "grouped", "packed", dtypes=HALVES)
@pytest.mark.parametrize("window", [None, 33])
def test_parallax(corpus: Recorder, window: int | None, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.parallax import parallel_parallax

    sizes = _sizes(variant)
    sizes.values = sizes.keys
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"r": draw.normal(sizes.batch, sizes.time, sizes.v_heads, sizes.keys, scale=0.1)}
    _check(
        corpus,
        sizes,
        partial(parallel_parallax, window_size=window),
        partial(parallax, window=window),
        inputs,
        dtype,
        roundings=24,
    )


@dtype_cases("plain", "grouped")
@pytest.mark.parametrize("queries", [1, 20])
def test_parallax_decoding(corpus: Recorder, queries: int, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.parallax.decode import parallax_decode, parallax_decode_one_step

    sizes = _sizes(variant)
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"r": draw.normal(sizes.batch, queries, sizes.v_heads, sizes.keys, scale=0.1)}
    inputs["q"] = inputs["q"][:, :queries]
    operation = parallax_decode_one_step if queries == 1 else parallax_decode
    agree(corpus, operation, parallax, inputs, dtype, roundings=24, backward=False)


@dtype_cases("plain", "grouped", "packed")
@pytest.mark.parametrize("scalar", [False, True])
def test_wall_attention(corpus: Recorder, scalar: bool, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.wall_attn import parallel_wall_attn

    sizes = _sizes(variant)
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"g": draw.gate(sizes.keys, low=0.9, heads=sizes.v_heads)}
    if scalar:
        inputs |= {"g_scalar": draw.gate(heads=sizes.v_heads), "sink_bias": draw.normal(sizes.v_heads).float()}
    scale = sizes.keys**-0.5
    _check(
        corpus, sizes, partial(parallel_wall_attn, scale=scale), partial(wall, scale=scale), inputs, dtype, roundings=24
    )


@dtype_cases("selection", "compression")
@pytest.mark.parametrize("packed", [False, True])
def test_nsa(corpus: Recorder, packed: bool, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.nsa import naive_nsa, parallel_nsa

    sizes = Shape(time=96, heads=1, value_heads=16, keys=32, values=32, offsets=[0, 30, 96] if packed else [])
    draw = Draw(sizes)
    inputs = _qkv(draw) | {"g_slc": draw.uniform(1, sizes.time, 16)}
    block, chosen = 16, 4
    options: dict[str, Any] = {"block_size": block, "cu_seqlens": sizes.cu_seqlens, "block_counts": chosen}
    if variant == "compression":
        inputs["g_cmp"] = draw.uniform(1, sizes.time, 16)
    blocks = _blocks(sizes, block, chosen)

    def reference(**tensors: Tensor) -> Tensor:
        host = options | {"block_indices": blocks, "cu_seqlens": torch.tensor(sizes.offsets) if packed else None}
        return in_float64(naive_nsa)(**tensors, **host)

    agree(corpus, partial(parallel_nsa, block_indices=blocks.cuda(), **options), reference, inputs, dtype, roundings=16)


def _blocks(sizes: Shape, block: int, chosen: int) -> Tensor:
    """For every query: its own block, the first, and random earlier ones; -1 where there are none left."""
    generator = torch.Generator().manual_seed(3)
    rows = torch.full((1, sizes.time, sizes.heads, chosen), -1, dtype=torch.long)
    bounds = sizes.offsets or [0, sizes.time]
    for begin, end in itertools.pairwise(bounds):
        for t in range(begin, end):
            last = (t - begin) // block
            picked = torch.cat((torch.tensor([last]), torch.randperm(max(last, 1), generator=generator)[:last]))[
                :chosen
            ]
            rows[0, t, :, : len(picked)] = picked.sort().values
    return rows


@dtype_cases("plain", "packed")
def test_nsa_topk(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    """The blocks that are chosen, as sets; scores are far enough apart for every dtype."""
    from fla.ops.nsa.naive import naive_nsa_topk
    from fla.ops.nsa.parallel import parallel_nsa_topk
    from fla.ops.utils import mean_pooling

    sizes = Shape(
        time=160, heads=1, value_heads=16, keys=32, values=32, offsets=[0, 64, 160] if variant == "packed" else []
    )
    inputs = {name: x.to(dtype).cuda() for name, x in _qkv(Draw(sizes)).items()}
    pooled = mean_pooling(inputs["k"], 16, sizes.cu_seqlens)
    options: dict[str, Any] = {"block_size": 16, "block_counts": 4, "scale": 1.0}
    found = parallel_nsa_topk(
        q=inputs["q"], k=pooled, lse=None, TK=sizes.time, cu_seqlens=sizes.cu_seqlens, **options
    ).cpu()
    offsets = torch.tensor(sizes.offsets) if sizes.offsets else None
    expected = in_float64(naive_nsa_topk)(
        inputs["q"].cpu().double(), pooled.cpu().double(), cu_seqlens=offsets, **options
    )
    differing = (found.long().sort(-1).values != expected.sort(-1).values).any(-1).double().mean().item()
    corpus.agreed(differing, 0.02)
    assert differing <= 0.02, f"{differing:.1%} of the queries choose other blocks"


@dtype_cases("plain", "ragged")
@pytest.mark.parametrize("form", ["parallel", "fused_chunk"])
def test_based(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import based
    from fla.ops.based.naive import naive_parallel_based

    draw = Draw(Shape(batch=1, time=128 if variant == "plain" else 77, heads=2, keys=16, values=32))
    inputs = {"q": draw.keys(), "k": draw.keys(), "v": draw.values()}

    def reference(**tensors: Tensor) -> Tensor:
        return in_float64(naive_parallel_based)(**{n: x.transpose(1, 2) for n, x in tensors.items()}).transpose(1, 2)

    agree(corpus, getattr(based, f"{form}_based"), reference, inputs, dtype, roundings=32)


@dtype_cases("plain", "ragged")
def test_rebased(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.rebased import parallel_rebased

    draw = Draw(Shape(batch=1, time=128 if variant == "plain" else 77, heads=2, keys=16, values=32))
    inputs = {"q": draw.keys(), "k": draw.keys(), "v": draw.values()}

    def reference(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        weights = torch.einsum("bihd,bjhd->bhij", q * q.shape[-1] ** -0.5, k).square().tril()
        return torch.einsum("bhij,bjhd->bihd", weights, v) / (weights.sum(-1).transpose(1, 2).unsqueeze(-1) + 1e-5)

    agree(corpus, parallel_rebased, reference, inputs, dtype, roundings=48)


@dtype_cases("plain", "normalised")
@pytest.mark.parametrize("level", [0, 1])
def test_attnres(corpus: Recorder, level: int, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.attnres import fused_attnres, naive_attnres

    draw = Draw(Shape())
    inputs = {"query": draw.normal(96), "rms_weight": draw.uniform(96, low=0.5, high=1.5)}
    inputs |= {f"residual{i}": draw.normal(2, 33, 96) for i in range(3)}
    if variant == "normalised":
        inputs["output_rms_weight"] = draw.uniform(96, low=0.5, high=1.5)

    def split(operation: Any, **options: Any) -> Any:
        def run(**tensors: Tensor) -> Tensor:
            residuals = [tensors.pop(f"residual{i}") for i in range(3)]
            return operation(residuals=residuals, **tensors, **options)

        return run

    agree(
        corpus,
        split(fused_attnres, checkpoint_level=level),
        split(in_float64(naive_attnres)),
        inputs,
        dtype,
        roundings=24,
    )
