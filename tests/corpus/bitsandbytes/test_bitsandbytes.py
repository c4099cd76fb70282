"""bitsandbytes' Triton kernels: 4-bit and 8-bit quantisation against the code books' definition, the 32-bit and 8-bit
optimizers against their update rules in float64. Only backends/triton's kernel files are imported: the package itself
loads a CUDA library."""

from __future__ import annotations

import importlib
import math

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, equal, float32_only, randn
from support.bare import bare_package
from support.code_books import FP4, NF4, block_size, code_book, codes, unpacked


def kernels(name: str):
    bare_package("bitsandbytes.backends.triton")
    return importlib.import_module(f"bitsandbytes.backends.triton.{name}")


@all_dtypes
@pytest.mark.parametrize("kind,code", [("fp4", FP4), ("nf4", NF4)], ids=["fp4", "nf4"])
@pytest.mark.parametrize("count", [1024, 1088], ids=["even", "odd-blocks"])
def test_quantize_4bit(corpus, dtype, kind, code, count):
    values, size = randn(count, dtype=dtype), block_size()
    blocks = -(-count // size)
    largest, packed = torch.empty(blocks, dtype=dtype), torch.zeros(-(-count // 2), 1, dtype=torch.uint8)
    kernels("kernels_4bit").quantize_4bit_blockwise_triton(values, size, kind, -(-blocks // 2), largest, count, packed)
    rows = torch.nn.functional.pad(values.double(), (0, blocks * size - count)).view(blocks, size)
    equal(corpus, "largest of each block", largest, rows.abs().amax(1))
    normal = (rows / rows.abs().amax(1, keepdim=True)).flatten()[:count]
    chosen = code.double()[unpacked(packed.flatten())][:count]
    nearest = (normal[..., None] - code.double()).abs().amin(-1)
    # A value between two codes may go to either when the division's rounding moves it over the middle.
    agree(
        corpus,
        "distance to the chosen code",
        (chosen - normal).abs(),
        nearest,
        Accuracy(2, 4, eps=torch.finfo(dtype).eps),
    )


@all_dtypes
@pytest.mark.parametrize("kind,code", [("fp4", FP4), ("nf4", NF4), ("table", NF4)], ids=["fp4", "nf4", "table"])
def test_dequantize_4bit(corpus, dtype, kind, code):
    count, size = 1088, block_size()
    packed = codes(-(-count // 2), 1, draw=torch.Generator().manual_seed(0))
    largest, out = randn(-(-count // size), seed=1).abs(), torch.empty(count, dtype=dtype)
    module = kernels("kernels_4bit")
    if kind == "table":
        module.dequantize_4bit_impl_passing_code(packed, largest, size, code, dtype, out)
    else:
        module.dequantize_4bit_impl(packed, largest, size, kind, dtype, out)
    levels = code.double()[unpacked(packed.flatten())]
    expected = levels[:count] * largest.double().repeat_interleave(size)[:count]
    agree(corpus, "values", out, expected, Accuracy(1, 2))


@all_dtypes
def test_quantize_8bit(corpus, dtype):
    values, code = randn(1024, dtype=dtype), code_book()
    out, largest = kernels("kernels_8bit_quant").quantize_blockwise_triton(values, code, 256)
    rows = values.view(4, 256).double()
    equal(corpus, "largest of each block", largest, rows.abs().amax(1))
    normal = rows / rows.abs().amax(1, keepdim=True)
    nearest = (normal[..., None] - code.double()).abs().amin(-1)
    agree(
        corpus,
        "distance to the chosen level",
        (code.double()[out.view(4, 256).long()] - normal).abs(),
        nearest,
        Accuracy(2, 4, eps=torch.finfo(dtype).eps, scale=1.0),
    )


@all_dtypes
def test_dequantize_8bit(corpus, dtype):
    count = 1000
    packed = codes(count, draw=torch.Generator().manual_seed(0))
    largest, code = randn(-(-count // 256), seed=1).abs(), code_book()
    out = kernels("kernels_8bit_quant").dequant_8bit_blockwise(packed, largest, code, 256, dtype)
    expected = code.double()[packed.long()] * largest.double().repeat_interleave(256)[:count]
    agree(corpus, "values", out, expected, Accuracy(1, 2))


RATE, EPS, STEP, BETA1, BETA2, BETA3, ALPHA, DECAY = 0.01, 1e-8, 3, 0.9, 0.99, 0.999, 0.7, 0.1


def updated(
    name: str, g: torch.Tensor, p: torch.Tensor, s1: torch.Tensor, s2: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """One step of the rule in float64: parameter, first state(s), second state. Weight decay is coupled for momentum,
    RMSprop and Adagrad, decoupled for the others."""
    fix1, fix2 = 1 - BETA1**STEP, 1 - BETA2**STEP
    if name in ("momentum", "rmsprop", "adagrad"):
        g = g + DECAY * p
    else:
        p = p * (1 - RATE * DECAY)
    if name == "adam":
        s1, s2 = BETA1 * s1 + (1 - BETA1) * g, BETA2 * s2 + (1 - BETA2) * g * g
        return p - RATE / fix1 * s1 / ((s2 / fix2).sqrt() + EPS), s1, s2
    if name == "ademamix":
        fast, slow = BETA1 * s1[0] + (1 - BETA1) * g, BETA3 * s1[1] + (1 - BETA3) * g
        s2 = BETA2 * s2 + (1 - BETA2) * g * g
        step = (fast / fix1 + ALPHA * slow) / ((s2 / fix2).sqrt() + EPS)
        return p - RATE * step, torch.stack((fast, slow)), s2
    if name == "momentum":
        s1 = BETA1 * s1 + g
        return p - RATE * s1, s1, s2
    if name == "rmsprop":
        s1 = BETA1 * s1 + (1 - BETA1) * g * g
        return p - RATE * g / (s1.sqrt() + EPS), s1, s2
    if name == "adagrad":
        s1 = s1 + g * g
        return p - RATE * g / (s1.sqrt() + EPS), s1, s2
    direction = torch.sign(BETA1 * s1 + (1 - BETA1) * g)
    return p - RATE * direction, BETA2 * s1 + (1 - BETA2) * g, s2


OPTIMIZERS = ("adam", "ademamix", "momentum", "rmsprop", "adagrad", "lion")


@all_dtypes
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer_32bit(corpus, dtype, name):
    count = 600
    g, p = randn(count, dtype=dtype), randn(count, dtype=dtype, seed=1)
    s1 = randn(*((2, count) if name == "ademamix" else (count,)), seed=2, scale=0.1)
    s1 = s1.abs() if name in ("rmsprop", "adagrad") else s1
    s2 = randn(count, seed=3, scale=0.1).abs() + 0.01
    expected = updated(name, g.double(), p.double(), s1.double(), s2.double())
    kernels("kernels_optim").optimizer_update_32bit_impl(
        name, g, p, s1, s2, torch.zeros(1), 0.0, 0.0, BETA1, BETA2, BETA3, ALPHA, EPS, DECAY, STEP, RATE
    )
    agree(corpus, "parameter", p, expected[0], Accuracy(2, 32))
    agree(corpus, "first state", s1, expected[1], Accuracy(4, 4))
    agree(corpus, "second state", s2, expected[2], Accuracy(4, 4))


@float32_only
def test_optimizer_with_a_norm_limit(corpus, dtype):
    """The update's norm is summed with atomics by a kernel of its own, then limits the step."""
    g, p = randn(600, dtype=dtype), randn(600, dtype=dtype, seed=1)
    s1, norm = torch.zeros(600), torch.zeros(1)
    before, limit, size = p.double().clone(), 0.5, 2.0
    kernels("kernels_optim").optimizer_update_32bit_impl(
        "momentum", g, p, s1, None, norm, limit, size, BETA1, BETA2, BETA3, ALPHA, EPS, 0.0, 1, RATE
    )
    total = g.double().square().sum()
    agree(corpus, "norm", norm, total.reshape(1), Accuracy(1, 600))
    scale = min(1.0, (limit * size + EPS) / math.sqrt(float(total)))
    agree(corpus, "parameter", p, before - RATE * scale * g.double(), Accuracy(2, 8))


@all_dtypes
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer_8bit(corpus, dtype, name):
    count, blocks = 512, 2
    g, p, code = randn(count, dtype=dtype), randn(count, dtype=dtype, seed=1), code_book()
    states = 2 if name == "ademamix" else 1
    positive = name in ("rmsprop", "adagrad")
    draw = torch.Generator().manual_seed(4)
    codes1 = codes(states, count, least=0.0 if positive else -1.0, draw=draw)
    codes2 = codes(count, least=0.065, draw=draw)
    largest1, largest2 = torch.rand(states, blocks, generator=draw) + 0.5, torch.rand(blocks, generator=draw) + 0.5

    def value(indices, largest):
        return code.double()[indices.long()] * largest.double().repeat_interleave(256, -1)

    s1, s2 = value(codes1, largest1), value(codes2, largest2)
    expected = updated(name, g.double(), p.double(), s1 if states == 2 else s1[0], s2)
    if states == 1:
        codes1, largest1 = codes1[0].contiguous(), largest1[0].contiguous()
    kernels("kernels_optim").optimizer_update_8bit_blockwise_impl(
        name,
        g,
        p,
        codes1,
        codes2,
        BETA1,
        BETA2,
        BETA3,
        ALPHA,
        EPS,
        STEP,
        RATE,
        code,
        code,
        largest1,
        largest2,
        0.0 if name == "lion" else DECAY,
    )
    if name == "adagrad":
        # The kernel's test for the decoupled decay names Adagrad's id: its parameter shrinks first, its gradient stays
        # as it is.
        shrunk = p_shrunk(g.double(), randn(count, dtype=dtype, seed=1).double(), s1[0])
        expected = (shrunk[0], shrunk[1], s2)
    elif name == "lion":
        expected = lion_without_decay(g.double(), randn(count, dtype=dtype, seed=1).double(), s1[0]) + (s2,)
    agree(corpus, "parameter", p, expected[0], Accuracy(2, 32))
    wanted = expected[1].reshape(-1, 256)
    agree(corpus, "largest of the first state", largest1.reshape(-1), wanted.abs().amax(1), Accuracy(4, 4))
    spacing = float((code[1:] - code[:-1]).max())
    stored = value(codes1.view(-1), largest1.view(-1)).reshape(-1, 256)
    agree(
        corpus,
        "first state, to its level",
        stored / wanted.abs().amax(1, keepdim=True),
        wanted / wanted.abs().amax(1, keepdim=True),
        Accuracy(0.5, 16, eps=spacing, scale=1.0),
    )


def p_shrunk(g: torch.Tensor, p: torch.Tensor, s1: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    s1 = s1 + g * g
    return p * (1 - RATE * DECAY) - RATE * g / (s1.sqrt() + EPS), s1


def lion_without_decay(g: torch.Tensor, p: torch.Tensor, s1: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return p - RATE * torch.sign(BETA1 * s1 + (1 - BETA1) * g), BETA2 * s1 + (1 - BETA2) * g
