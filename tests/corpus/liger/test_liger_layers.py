"""liger-kernel's larger layers against float64: manifold-constrained hyper-connections, the fused mixture of experts
with its routing kernels, multi-token attention, neighbourhood attention, GRPO; outputs and all gradients."""

from __future__ import annotations

import importlib
import math

import pytest
import torch
from support.autograd import (
    Accuracy,
    agree_autograd,
    all_dtypes,
    equal,
    float32_only,
    half_dtypes,
    randn,
)

silu = torch.nn.functional.silu


def op(module: str, name: str):
    """A function class of liger_kernel.ops; imported here because the package asks for the device when it is
    imported."""
    return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), name).apply


def balanced(logits: torch.Tensor, rounds: int, eps: float) -> torch.Tensor:
    """Sinkhorn and Knopp: a softmax over rows, then columns and rows divided by their sums in turn."""
    matrix = torch.softmax(logits, -1) + eps
    matrix = matrix / (matrix.sum(-2, keepdim=True) + eps)
    for _ in range(rounds - 1):
        matrix = matrix / (matrix.sum(-1, keepdim=True) + eps)
        matrix = matrix / (matrix.sum(-2, keepdim=True) + eps)
    return matrix


@all_dtypes
def test_mhc_coefficients(corpus, dtype):
    streams, channels, rounds = 4, 24, 4
    count = streams * streams + 2 * streams
    inputs = {
        "x": randn(2, 5, streams, channels, dtype=dtype),
        "phi": randn(streams * channels, count, dtype=dtype, seed=1, scale=0.1),
        "b": randn(count, seed=2),
        "pre": torch.tensor(0.7),
        "post": torch.tensor(-0.4),
        "res": torch.tensor(0.9),
    }

    def reference(x, phi, b, pre, post, res):
        flat = x.flatten(-2)
        mix = flat @ phi * torch.rsqrt(flat.square().mean(-1, keepdim=True) + 1e-6)
        first, second, rest = mix.split([streams, streams, streams * streams], -1)
        b_pre, b_post, b_res = b.split([streams, streams, streams * streams])
        logits = (rest * res + b_res).unflatten(-1, (streams, streams))
        return (
            torch.sigmoid(first * pre + b_pre),
            2.0 * torch.sigmoid(second * post + b_post),
            balanced(logits, rounds, 1e-6),
        )

    function = op("mhc", "LigerMHCCoeffsFunction")
    # Outputs are float32; the dot reads operands of the input's type (as tensor cores do for float32).
    accuracy = Accuracy(2, 200, tf32=True)
    agree_autograd(
        corpus,
        lambda *a: function(*a, True, rounds, 1e-6, 0.0, 1e-6, 2.0),
        reference,
        inputs,
        accuracy=accuracy,
        gradient=Accuracy(12, 1000, tf32=True),
        wrt=tuple(inputs),
    )


@all_dtypes
def test_mhc_pre_aggregation(corpus, dtype):
    inputs = {"x": randn(2, 5, 4, 72, dtype=dtype), "h": randn(2, 5, 4, seed=1)}
    agree_autograd(
        corpus,
        op("mhc", "LigerMHCPreFunction"),
        lambda x, h: (h.unsqueeze(-1) * x).sum(-2),
        inputs,
        accuracy=Accuracy(3, 4),
        gradients={"h": Accuracy(4, 72)},
        wrt=("x", "h"),
    )


@all_dtypes
def test_mhc_residual_update(corpus, dtype):
    inputs = {
        "x": randn(2, 5, 4, 72, dtype=dtype),
        "f": randn(2, 5, 72, dtype=dtype, seed=1),
        "h_post": randn(2, 5, 4, seed=2),
        "h_res": randn(2, 5, 4, 4, seed=3),
    }
    agree_autograd(
        corpus,
        op("mhc", "LigerMHCPostResFunction"),
        lambda x, f, post, res: res @ x + post.unsqueeze(-1) * f.unsqueeze(-2),
        inputs,
        accuracy=Accuracy(3, 8),
        gradients={"h_post": Accuracy(4, 72), "h_res": Accuracy(4, 72)},
        wrt=tuple(inputs),
    )


@pytest.mark.parametrize("tokens,chosen,experts", [(37, 2, 5), (300, 4, 8)])
def test_moe_routing(corpus, tokens, chosen, experts):
    """Three kernels sort (token, choice) pairs by expert: every table follows from the definition, in integers."""
    module = importlib.import_module("liger_kernel.ops.fused_moe")
    draw = torch.rand(tokens, experts, generator=torch.Generator().manual_seed(3))
    choice = draw.argsort(1)[:, :chosen].to(torch.int32).contiguous()
    counts, starts, gathered, scattered, reverse, tile_rows, tile_experts = module.compute_routing_metadata(
        choice, experts
    )
    flat = choice.flatten().long()
    expected_counts = torch.bincount(flat, minlength=experts)
    equal(corpus, "tokens per expert", counts, expected_counts)
    expected_starts = torch.cat((torch.zeros(1, dtype=torch.long), expected_counts.cumsum(0)))
    equal(corpus, "first row of each expert", starts, expected_starts)
    equal(corpus, "a permutation", scattered.long().sort().values, torch.arange(tokens * chosen))
    equal(corpus, "experts in order", flat[scattered.long()], flat.sort().values)
    equal(corpus, "the token of a row", gathered, scattered // chosen)
    equal(corpus, "the inverse", reverse[scattered.long()], torch.arange(tokens * chosen))
    rows = [
        (int(s) + i, e)
        for e, s in enumerate(expected_starts[:-1])
        for i in range(0, int(expected_counts[e]), module.BLOCK_M_TOKEN)
    ]
    equal(corpus, "first row of each tile", tile_rows, torch.tensor([r for r, _ in rows]))
    equal(corpus, "expert of each tile", tile_experts, torch.tensor([e for _, e in rows]))


@all_dtypes
def test_fused_moe(corpus, dtype):
    tokens, chosen, experts, hidden, inner = 20, 2, 3, 64, 48
    choice = (
        torch.rand(tokens, experts, generator=torch.Generator().manual_seed(3)).argsort(1)[:, :chosen].to(torch.int32)
    )
    weights = torch.softmax(randn(tokens, chosen, seed=4), -1).to(dtype)
    inputs = {
        "x": randn(tokens, hidden, dtype=dtype),
        "up": randn(experts, 2 * inner, hidden, dtype=dtype, seed=1, scale=0.2),
        "down": randn(experts, hidden, inner, dtype=dtype, seed=2, scale=0.2),
        "weights": weights,
    }

    def reference(x, up, down, weights):
        out = torch.zeros_like(x)
        for k in range(chosen):
            expert = choice[:, k].long()
            gate, value = torch.einsum("th,tnh->tn", x, up[expert]).chunk(2, -1)
            out = out + weights[:, k, None] * torch.einsum("ti,thi->th", silu(gate) * value, down[expert])
        return out

    function = op("fused_moe", "LigerFusedMoEFunction")
    agree_autograd(
        corpus,
        lambda x, up, down, w: function(x, up, down, choice.contiguous(), w),
        reference,
        inputs,
        accuracy=Accuracy(6, 64, tf32=True),
        gradient=Accuracy(10, 100, tf32=True),
        wrt=tuple(inputs),
    )


@all_dtypes
def test_multi_token_attention(corpus, dtype):
    length = 20
    inputs = {
        "scores": randn(2, 3, length, length, dtype=dtype),
        "weight": randn(3, 3, 3, 3, dtype=dtype, seed=1, scale=0.3),
        "bias": randn(3, dtype=dtype, seed=2),
    }
    future = torch.ones(length, length).triu(1).bool()

    def reference(scores, weight, bias):
        probabilities = torch.softmax(scores.masked_fill(future, -1e9), -1)
        return torch.nn.functional.conv2d(probabilities, weight, bias, padding=1).masked_fill(future, 0.0)

    function = op("multi_token_attention", "LigerMultiTokenAttentionFunction")
    agree_autograd(
        corpus,
        lambda s, w, b: function(s, w, b, 1, 1),
        reference,
        inputs,
        accuracy=Accuracy(4, 30),
        gradient=Accuracy(8, 400),
        wrt=tuple(inputs),
    )


@float32_only
def test_multi_token_attention_sparse(corpus, dtype):
    from test_liger_activations import sparsemax

    length = 20
    inputs = {
        "scores": randn(2, 3, length, length, dtype=dtype),
        "weight": randn(3, 3, 3, 3, dtype=dtype, seed=1, scale=0.3),
    }
    future = torch.ones(length, length).triu(1).bool()

    def reference(scores, weight):
        return torch.nn.functional.conv2d(sparsemax(scores.masked_fill(future, -1e9)), weight, padding=1).masked_fill(
            future, 0.0
        )

    function = op("multi_token_attention", "LigerMultiTokenAttentionFunction")
    agree_autograd(
        corpus,
        lambda s, w: function(s, w, None, 1, 1, 1, 1, True),
        reference,
        inputs,
        accuracy=Accuracy(8, 100, scale=1.0),
        gradient=Accuracy(16, 400),
        wrt=tuple(inputs),
    )


@all_dtypes
@pytest.mark.parametrize("dilation", [1, 2])
def test_neighbourhood_attention(corpus, dtype, dilation):
    length, size = 24, 5
    inputs = {
        "q": randn(2, 2, length, 32, dtype=dtype),
        "k": randn(2, 2, length, 32, dtype=dtype, seed=1),
        "v": randn(2, 2, length, 32, dtype=dtype, seed=2),
    }
    offset = torch.arange(length)[None, :] - torch.arange(length)[:, None]
    near = (offset.abs() <= size // 2 * dilation) & (offset % dilation == 0)

    def reference(q, k, v):
        return torch.softmax((q @ k.mT / math.sqrt(32)).masked_fill(~near, -math.inf), -1) @ v

    function = op("fused_neighborhood_attention", "LigerFusedNeighborhoodAttentionFunction")
    agree_autograd(
        corpus,
        lambda q, k, v: function(q, k, v, size, dilation),
        reference,
        inputs,
        accuracy=Accuracy(4, 50, tf32=True),
        gradient=Accuracy(8, 100, tf32=True),
        wrt=tuple(inputs),
    )


@all_dtypes
@pytest.mark.parametrize("beta", [0.0, 0.1])
def test_grpo_loss(corpus, dtype, beta):
    rows, length, words = 2, 5, 50
    ids = torch.randint(0, words, (rows, length), generator=torch.Generator().manual_seed(1))
    mask = torch.ones(rows, length, dtype=torch.int32)
    mask[0, 3:] = 0
    advantages, temperature = torch.tensor([0.7, -1.1]), 0.9
    old = torch.log_softmax(randn(rows, length, words, seed=3), -1).gather(-1, ids[..., None]).squeeze(-1).contiguous()
    ref = torch.log_softmax(randn(rows, length, words, seed=4), -1).gather(-1, ids[..., None]).squeeze(-1).contiguous()

    def reference(logits):
        own = torch.log_softmax(logits[:, :-1] / temperature, -1).gather(-1, ids[..., None]).squeeze(-1)
        ratio = torch.exp(own - old.double())
        scale = advantages.double()[:, None]
        loss = -torch.minimum(ratio * scale, ratio.clamp(0.8, 1.3) * scale)
        if beta:
            loss = loss + beta * (torch.exp(ref.double() - own) - (ref.double() - own) - 1)
        return ((loss * mask).sum(-1) / mask.sum(-1)).mean()

    function = op("grpo_loss", "GrpoLossFunction")
    agree_autograd(
        corpus,
        lambda x: function(x, old, ref if beta else None, ids, advantages, mask, temperature, beta, 0.2, 0.3, False)[0],
        reference,
        {"logits": randn(rows, length + 1, words, dtype=dtype)},
        accuracy=Accuracy(4, words),
        gradient=Accuracy(6, words),
        wrt=("logits",),
    )


@half_dtypes
def test_gated_mlp_through_descriptors(corpus, dtype):
    """Products through tensor descriptors; the backward pass overwrites the kept activations."""
    inputs = {
        "x": randn(2, 20, 64, dtype=dtype),
        "gate": randn(96, 64, dtype=dtype, seed=1, scale=0.2),
        "up": randn(96, 64, dtype=dtype, seed=2, scale=0.2),
        "down": randn(64, 96, dtype=dtype, seed=3, scale=0.2),
    }
    agree_autograd(
        corpus,
        op("mlp", "LigerMLPFunction"),
        lambda x, g, u, d: (silu(x @ g.T) * (x @ u.T)) @ d.T,
        inputs,
        accuracy=Accuracy(6, 100),
        gradient=Accuracy(12, 100),
        wrt=tuple(inputs),
    )


def test_product_with_two_bit_weights(corpus):
    module = importlib.import_module("liger_kernel.ops.experimental.mm_int8int2")
    draw = torch.Generator().manual_seed(0)
    a = torch.randint(-128, 128, (32, 256), dtype=torch.int8, generator=draw)
    weights = torch.randint(-1, 3, (256, 64), dtype=torch.int8, generator=draw)
    equal(corpus, "sums", module.matmul(a, module.pack_weights(weights.clone())), a.long() @ weights.long())
