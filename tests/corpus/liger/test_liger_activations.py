"""liger-kernel's activations against float64: SwiGLU (rows, column tiles, fused gate and up), GEGLU, squared ReLU,
softmax, sparsemax; rotary embeddings, embedding, attention over residuals; outputs and all gradients."""

from __future__ import annotations

import importlib

import pytest
import torch
from support.autograd import Accuracy, agree_autograd, all_dtypes, randn

silu = torch.nn.functional.silu


def op(module: str, name: str):
    """A function class of liger_kernel.ops; imported here because the package asks for the device when it is
    imported."""
    return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), name).apply


@all_dtypes
@pytest.mark.parametrize("gate", [1.0, 0.7])
def test_swiglu(corpus, dtype, gate):
    inputs = {"a": randn(2, 5, 100, dtype=dtype), "b": randn(2, 5, 100, dtype=dtype, seed=1)}
    function = op("swiglu", "LigerSiLUMulFunction")
    agree_autograd(
        corpus,
        lambda a, b: function(a, b, gate),
        lambda a, b: silu(gate * a) * b,
        inputs,
        accuracy=Accuracy(3, 4),
        wrt=("a", "b"),
    )


@all_dtypes
def test_swiglu_in_column_tiles(corpus, dtype, monkeypatch):
    """The layout for wide rows on Blackwell, asked for by hand because the pretended GPU is a Hopper."""
    module = importlib.import_module("liger_kernel.ops.swiglu")
    monkeypatch.setattr(module, "_should_tile", lambda columns: True)
    monkeypatch.setattr(module, "_SWIGLU_TILE", 128)
    inputs = {"a": randn(3, 300, dtype=dtype), "b": randn(3, 300, dtype=dtype, seed=1)}
    agree_autograd(
        corpus,
        module.LigerSiLUMulFunction.apply,
        lambda a, b: silu(a) * b,
        inputs,
        accuracy=Accuracy(3, 4),
        wrt=("a", "b"),
    )


@all_dtypes
def test_swiglu_fused_gate_up(corpus, dtype):
    agree_autograd(
        corpus,
        op("swiglu", "LigerFusedGateUpSiLUMulFunction"),
        lambda y: silu(y[..., :48]) * y[..., 48:],
        {"y": randn(6, 96, dtype=dtype)},
        accuracy=Accuracy(3, 4),
        wrt=("y",),
    )


@all_dtypes
def test_geglu(corpus, dtype):
    inputs = {"a": randn(2, 5, 100, dtype=dtype), "b": randn(2, 5, 100, dtype=dtype, seed=1)}
    agree_autograd(
        corpus,
        op("geglu", "LigerGELUMulFunction"),
        lambda a, b: torch.nn.functional.gelu(a, approximate="tanh") * b,
        inputs,
        accuracy=Accuracy(4, 8),
        wrt=("a", "b"),
    )


@all_dtypes
def test_relu_squared(corpus, dtype):
    agree_autograd(
        corpus,
        op("relu_squared", "LigerReLUSquaredFunction"),
        lambda x: torch.relu(x).square(),
        {"x": randn(4, 100, dtype=dtype)},
        accuracy=Accuracy(2, 2),
        wrt=("x",),
    )


@all_dtypes
@pytest.mark.parametrize("shape", [(2, 3, 100), (5, 64)])
def test_softmax(corpus, dtype, shape):
    agree_autograd(
        corpus,
        op("softmax", "LigerSoftmaxFunction"),
        lambda x: torch.softmax(x, -1),
        {"x": randn(*shape, dtype=dtype, scale=2.0)},
        accuracy=Accuracy(2, 100),
        gradient=Accuracy(4, 100),
        wrt=("x",),
    )


def sparsemax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Martins and Astudillo 2016: the Euclidean projection onto the simplex, by sorting."""
    ordered = x.sort(dim=dim, descending=True).values.transpose(dim, -1)
    steps = torch.arange(1, ordered.shape[-1] + 1, dtype=x.dtype)
    total = ordered.cumsum(-1)
    support = (1 + steps * ordered > total).sum(-1, keepdim=True)
    threshold = (total.gather(-1, support - 1) - 1) / support
    return torch.relu(x.transpose(dim, -1) - threshold).transpose(dim, -1)


@all_dtypes
@pytest.mark.parametrize("dim", [-1, 1])
def test_sparsemax(corpus, dtype, dim):
    function = op("sparsemax", "LigerSparsemaxFunction")
    agree_autograd(
        corpus,
        lambda x: function(x, dim),
        lambda x: sparsemax(x, dim),
        {"x": randn(3, 20, 50, dtype=dtype)},
        accuracy=Accuracy(4, 50, scale=1.0),
        gradient=Accuracy(4, 50),
        wrt=("x",),
    )


def rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


@all_dtypes
def test_rope(corpus, dtype):
    angle = randn(1, 7, 16, seed=5).repeat(1, 1, 2)
    inputs = {
        "q": randn(2, 4, 7, 32, dtype=dtype),
        "k": randn(2, 2, 7, 32, dtype=dtype, seed=1),
        "cos": angle.cos().to(dtype),
        "sin": angle.sin().to(dtype),
    }
    agree_autograd(
        corpus,
        lambda q, k, c, s: op("rope", "LigerRopeFunction")(q.clone(), k.clone(), c, s),
        lambda q, k, c, s: (rotated(q, c, s), rotated(k, c, s)),
        inputs,
        accuracy=Accuracy(4, 2),
        wrt=("q", "k"),
    )


@all_dtypes
def test_multimodal_rope(corpus, dtype):
    angle = randn(3, 2, 7, 16, seed=5).repeat(1, 1, 1, 2)
    inputs = {
        "q": randn(2, 4, 7, 32, dtype=dtype),
        "k": randn(2, 2, 7, 32, dtype=dtype, seed=1),
        "cos": angle.cos().to(dtype),
        "sin": angle.sin().to(dtype),
    }
    section = [4, 6, 6]

    def chosen(t):
        return torch.cat([part[i % 3] for i, part in enumerate(t.split(section * 2, -1))], -1).unsqueeze(1)

    function = op("qwen2vl_mrope", "LigerQwen2VLMRopeFunction")
    agree_autograd(
        corpus,
        lambda q, k, c, s: function(q.clone(), k.clone(), c, s, section),
        lambda q, k, c, s: (rotated(q, chosen(c), chosen(s)), rotated(k, chosen(c), chosen(s))),
        inputs,
        accuracy=Accuracy(4, 2),
        wrt=("q", "k"),
    )


@all_dtypes
def test_llama4_rope(corpus, dtype):
    angle = randn(7, 16, seed=5)
    frequencies = torch.polar(torch.ones_like(angle), angle)
    inputs = {"q": randn(2, 7, 4, 32, dtype=dtype), "k": randn(2, 7, 2, 32, dtype=dtype, seed=1)}

    def turned(x):
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], 16, 2).contiguous())
        return torch.view_as_real(pairs * frequencies.to(torch.complex128)[None, :, None]).flatten(-2)

    function = op("llama4_rope", "LigerLlama4RopeFunction")
    agree_autograd(
        corpus,
        lambda q, k: function(q, k, frequencies),
        lambda q, k: (turned(q), turned(k)),
        inputs,
        accuracy=Accuracy(4, 2),
        wrt=("q", "k"),
    )


@all_dtypes
def test_embedding(corpus, dtype):
    indices = torch.randint(0, 30, (3, 7), generator=torch.Generator().manual_seed(0))
    function = op("experimental.embedding", "LigerEmbeddingFunction")
    agree_autograd(
        corpus,
        lambda table: function(table, indices),
        lambda table: table[indices],
        {"table": randn(30, 48, dtype=dtype)},
        accuracy=Accuracy(0.5),
        gradient=Accuracy(4, 21),
        wrt=("table",),
    )


@all_dtypes
def test_attention_over_residuals(corpus, dtype):
    inputs = {
        "blocks": randn(3, 2, 4, 40, dtype=dtype),
        "query": randn(40, dtype=dtype, seed=1, scale=0.3),
        "norm": randn(40, dtype=dtype, seed=2),
    }

    def reference(blocks, query, norm):
        normed = blocks * torch.rsqrt(blocks.square().mean(-1, keepdim=True) + 1e-6) * norm
        return (torch.softmax((normed * query).sum(-1), 0).unsqueeze(-1) * blocks).sum(0)

    function = op("attn_res", "LigerAttnResFunction")
    agree_autograd(
        corpus,
        lambda v, q, n: function(v, q, n, 1e-6),
        reference,
        inputs,
        accuracy=Accuracy(4, 40),
        gradient=Accuracy(8, 400),
        wrt=("blocks", "query", "norm"),
    )
