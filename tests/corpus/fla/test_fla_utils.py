"""The kernels that the others are made of: cumulative sums, softmax, log-sum-exp, products, triangular inverses,
packing, pooling.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from recorder import Recorder
from sequence_shapes import Draw, Shape, on_gpu

from compare import agree, dtype_cases

Tensor = torch.Tensor
OFFSETS = [0, 15, 79, 150]


def _cumulative(x: Tensor, pieces: list[int], reverse: bool) -> Tensor:
    parts = [x[:, b:e] for b, e in itertools.pairwise(pieces)]
    return torch.cat([p.flip(1).cumsum(1).flip(1) if reverse else p.cumsum(1) for p in parts], 1)


def _pieces(time: int, packed: bool, chunk: int | None) -> list[int]:
    bounds = OFFSETS if packed else [0, time]
    if chunk is None:
        return bounds
    return sorted({*bounds, *(s for b, e in itertools.pairwise(bounds) for s in range(b, e, chunk))})


@dtype_cases("scalar", "vector", ci=("vector-f32",))
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("chunk", [None, 32])
def test_cumulative_sum(
    corpus: Recorder, chunk: int | None, reverse: bool, packed: bool, variant: str, dtype: torch.dtype
) -> None:
    from fla.ops.utils import chunk_global_cumsum, chunk_local_cumsum

    draw = Draw(Shape())
    inputs = {"x": draw.normal(1 if packed else 2, 150, 3, *([] if variant == "scalar" else [20]))}
    options: dict[str, Any] = {"reverse": reverse, "scale": 0.5}
    if packed:
        options["cu_seqlens"] = on_gpu(OFFSETS)
    operation = chunk_global_cumsum if chunk is None else partial(chunk_local_cumsum, chunk_size=chunk)
    pieces = _pieces(150, packed, chunk)
    # A prefix sum as a product with a triangle of ones is asked for in full float32; 150 terms in tree order.
    agree(
        corpus,
        lambda x: operation(x, **options),
        lambda x: 0.5 * _cumulative(x, pieces, reverse),
        inputs,
        dtype,
        roundings=24,
        dots=False,
        backward=False,
    )


@dtype_cases("narrow", "wide")
def test_softmax(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils import softmax_bwd, softmax_fwd

    draw = Draw(Shape())
    size = 100 if variant == "narrow" else 3000
    inputs = {"x": draw.normal(5, 7, size, scale=2.0), "dp": draw.normal(5, 7, size)}

    def operation(x: Tensor, dp: Tensor) -> Any:
        weights = softmax_fwd(x)
        return weights, softmax_bwd(weights, dp.float())

    def reference(x: Tensor, dp: Tensor) -> Any:
        weights = x.softmax(-1)
        return weights, weights * (dp - (weights * dp).sum(-1, keepdim=True))

    agree(corpus, operation, reference, inputs, dtype, roundings=24, dots=False, backward=False)


@dtype_cases("plain", "scaled")
def test_log_sum_exp(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils import logsumexp_fwd

    scale = 0.3 if variant == "scaled" else None
    inputs = {"x": Draw(Shape()).normal(5, 7, 1000, scale=2.0)}
    agree(
        corpus,
        partial(logsumexp_fwd, scale=scale),
        lambda x: (x * (scale or 1.0)).logsumexp(-1),
        inputs,
        dtype,
        roundings=16,
        dots=False,
        backward=False,
    )


@dtype_cases("plain")
def test_log_cumulative_sum_exp(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils.logcumsumexp import logcumsumexp_fwd_kernel

    def operation(x: Tensor) -> Tensor:
        out = torch.empty_like(x)
        logcumsumexp_fwd_kernel[(x.shape[0],)](x, out, x.shape[1], x.shape[2])
        return out

    agree(
        corpus,
        operation,
        lambda x: x.logcumsumexp(1),
        {"x": Draw(Shape()).normal(3, 77, 16)},
        dtype,
        roundings=24,
        dots=False,
        backward=False,
    )


@dtype_cases("plain", "relu", "sigmoid", "tanh", "leaky_relu")
def test_matmul(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils import matmul

    draw = Draw(Shape())
    inputs = {"a": draw.normal(2, 50, 70, scale=0.3), "b": draw.normal(70, 90, scale=0.3)}
    after = {
        "plain": lambda x: x,
        "relu": torch.relu,
        "sigmoid": torch.sigmoid,
        "tanh": torch.tanh,
        "leaky_relu": F.leaky_relu,
    }
    agree(
        corpus,
        partial(matmul, activation="" if variant == "plain" else variant),
        lambda a, b: after[variant](a @ b),
        inputs,
        dtype,
        roundings=24,
        dots=False,
        backward=False,
    )


@dtype_cases("vector", "matrix")
def test_addmm(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils import addmm

    draw = Draw(Shape())
    inputs = {
        "x": draw.normal(90) if variant == "vector" else draw.normal(50, 90),
        "a": draw.normal(50, 70, scale=0.3),
        "b": draw.normal(70, 90, scale=0.3),
    }
    agree(corpus, addmm, lambda x, a, b: x + a @ b, inputs, dtype, roundings=24, dots=False, backward=False)


@dtype_cases("16", "32", "64", ci=("64-f32",))
@pytest.mark.parametrize("packed", [False, True])
def test_triangular_inverse(corpus: Recorder, packed: bool, variant: str, dtype: torch.dtype) -> None:
    """(I + A)^-1 by blocks on the diagonal of a long matrix, A strictly lower triangular."""
    from fla.ops.utils import solve_tril

    chunk = int(variant)
    draw = Draw(Shape())
    pieces = _pieces(150, packed, chunk)
    lower = torch.zeros(1, 150, 2, chunk, dtype=torch.float64)
    for begin, end in itertools.pairwise(pieces):
        size = end - begin
        lower[0, begin:end, :, :size] = draw.normal(2, size, size, scale=0.1).tril(-1).transpose(0, 1)

    def reference(A: Tensor) -> Tensor:
        out = torch.zeros_like(A)
        for begin, end in itertools.pairwise(pieces):
            size = end - begin
            block = A[0, begin:end, :, :size].transpose(0, 1) + torch.eye(size, dtype=A.dtype)
            out[0, begin:end, :, :size] = torch.linalg.inv(block).transpose(0, 1)
        return out

    offsets = on_gpu(OFFSETS) if packed else None
    agree(corpus, partial(solve_tril, cu_seqlens=offsets), reference, {"A": lower}, dtype, roundings=16, backward=False)


@dtype_cases("left", "right", ci=("left-f16",))
def test_pack(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils import pack_sequence, unpack_sequence

    offsets = on_gpu(OFFSETS)
    inputs = {"padded": Draw(Shape()).normal(3, 80, 3, 7), "packed": Draw(Shape()).normal(150, 3, 7)}

    def operation(padded: Tensor, packed: Tensor) -> Any:
        return pack_sequence(padded, offsets, variant), unpack_sequence(
            packed, offsets, variant, torch.Size((3, 80, 3, 7))
        )

    def reference(padded: Tensor, packed: Tensor) -> Any:
        rows, places = [], torch.zeros_like(padded)
        for i, (begin, end) in enumerate(itertools.pairwise(OFFSETS)):
            at = slice(80 - (end - begin), 80) if variant == "left" else slice(0, end - begin)
            rows.append(padded[i, at])
            places = places.index_put((torch.tensor(i), torch.arange(80)[at]), packed[begin:end])
        return torch.cat(rows), places

    agree(corpus, operation, reference, inputs, dtype, roundings=1, dots=False)


@dtype_cases("plain", "packed")
def test_mean_pooling(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.utils import mean_pooling

    packed = variant == "packed"
    pieces = _pieces(150, packed, 32)
    offsets = on_gpu(OFFSETS) if packed else None

    def reference(x: Tensor) -> Tensor:
        return torch.stack([x[:, b:e].mean(1) for b, e in itertools.pairwise(pieces)], 1)

    agree(
        corpus,
        partial(mean_pooling, chunk_size=32, cu_seqlens=offsets),
        reference,
        {"x": Draw(Shape()).normal(1 if packed else 2, 150, 3, 20)},
        dtype,
        roundings=16,
        dots=False,
    )


def test_block_lists(corpus: Recorder) -> None:
    """The inverse of "which blocks does a query choose": exact, up to the order of the queries within a block."""
    from fla.ops.utils import prepare_block_csr

    generator = torch.Generator().manual_seed(1)
    chosen = torch.stack([torch.randperm(8, generator=generator)[:4] for _ in range(200)]).view(1, 100, 2, 4)
    causal = torch.where(chosen * 16 <= torch.arange(100).view(1, 100, 1, 1), chosen, torch.full_like(chosen, -1))
    places, starts = (x.cpu() for x in prepare_block_csr(causal.cuda(), 4, None, None, 8, 16))
    expected = [sorted(t for t in range(100) if block in causal[0, t, h]) for h in range(2) for block in range(8)]
    found = [sorted(places[b:e].tolist()) for b, e in zip(starts.tolist(), starts[1:].tolist(), strict=False)]
    corpus.agreed(float(found != expected), 0.0)
    assert found == expected


@dtype_cases("gdn", "kda", "kda_bounded")
@pytest.mark.parametrize("form", ["whole", "chunk"])
def test_gate(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    """-exp(A) softplus(g + bias), alone and summed up within chunks."""
    from fla.ops.gated_delta_rule import gate as gdn
    from fla.ops.kda import gate as kda

    draw = Draw(Shape())
    keys = () if variant == "gdn" else (20,)
    inputs = {
        "g": draw.normal(2, 150, 3, *keys),
        "A_log": draw.uniform(3, low=-1).float(),
        "dt_bias": draw.normal(3 * (keys or (1,))[0]).float(),
    }
    bound = {"lower_bound": -4.0} if variant == "kda_bounded" else {}
    module = gdn if variant == "gdn" else kda
    name = "gdn" if variant == "gdn" else "kda"
    whole = partial(getattr(module, f"fused_{name}_gate"), **bound)
    operation = (
        whole if form == "whole" else partial(getattr(module, f"{name}_gate_chunk_cumsum"), chunk_size=32, **bound)
    )

    def reference(g: Tensor, A_log: Tensor, dt_bias: Tensor) -> Tensor:
        speed = A_log.exp().view(3, *(1 for _ in keys))
        raw = g + dt_bias.view(3, *keys)
        out = -4.0 * (speed * raw).sigmoid() if bound else -speed * F.softplus(raw)
        return out if form == "whole" else _cumulative(out, _pieces(150, False, 32), False)

    agree(corpus, operation, reference, inputs, dtype, roundings=32, dots=False, backward=form == "whole")


@dtype_cases("plain")
def test_beta_sigmoid(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.common.gate import fused_beta_sigmoid

    agree(
        corpus,
        partial(fused_beta_sigmoid, scale=2.0),
        lambda x: 2 * x.sigmoid(),
        {"x": Draw(Shape()).normal(2, 150, 3)},
        dtype,
        roundings=16,
        dots=False,
    )


@dtype_cases("plain", "states")
def test_split_sequences(corpus: Recorder, monkeypatch: pytest.MonkeyPatch, variant: str, dtype: torch.dtype) -> None:
    """States of chunks, when long sequences are cut into parts that are scanned side by side and merged."""
    from fla.ops.common import intracard_cp

    monkeypatch.setattr(intracard_cp, "compute_subseq_len", lambda *_: 64)
    draw, offsets = Draw(Shape()), [0, 300, 340]
    inputs = {
        "k": draw.normal(1, 340, 2, 32, scale=0.2),
        "w": draw.normal(1, 340, 2, 32, scale=0.2),
        "u": draw.normal(1, 340, 2, 16),
    }
    if variant == "states":
        inputs["initial_state"] = draw.normal(2, 2, 32, 16).float()

    def operation(**tensors: Tensor) -> Any:
        h, corrected, final = intracard_cp.intracard_fwd_h(
            **tensors, chunk_size=64, output_final_state=True, cu_seqlens=on_gpu(offsets)
        )
        return h, corrected, final

    def reference(k: Tensor, w: Tensor, u: Tensor, initial_state: Tensor | None = None) -> Any:
        states, rows, finals = [], [], []
        for i, (begin, end) in enumerate(itertools.pairwise(offsets)):
            state = k.new_zeros(2, 32, 16) if initial_state is None else initial_state[i]
            for b in range(begin, end, 64):
                kb, wb, ub = (x[0, b : min(b + 64, end)].transpose(0, 1) for x in (k, w, u))
                states.append(state)
                rows.append(ub - wb @ state)
                state = state + kb.transpose(1, 2) @ rows[-1]
            finals.append(state)
        return torch.stack(states).unsqueeze(0), torch.cat(rows, 1).transpose(0, 1).unsqueeze(0), torch.stack(finals)

    agree(corpus, operation, reference, inputs, dtype, roundings=32, backward=False)
