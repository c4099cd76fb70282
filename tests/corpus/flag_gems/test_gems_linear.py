"""flag_gems' products, convolutions and transforms against torch in float64; its products of float32 do without
tf32."""

from __future__ import annotations

import torch
from support.autograd import Accuracy, randn
from support.gems import Case, check, parameters

F = torch.nn.functional


def matrices(dtype):
    return randn(40, 50, dtype=dtype), randn(50, 36, dtype=dtype, seed=1), randn(40, 36, dtype=dtype, seed=2)


def batches(dtype):
    return randn(2, 20, 36, dtype=dtype), randn(2, 20, 40, dtype=dtype, seed=1), randn(2, 40, 36, dtype=dtype, seed=2)


def hadamard(x):
    """Sylvester's matrix of order 64, from its definition by bit counts."""
    index = torch.arange(64)
    bits = (index[:, None] & index[None, :]).apply_(lambda value: int(value).bit_count() % 2)
    return x @ (1.0 - 2.0 * bits.double()) * 0.5


def scaled_codes(dtype):
    draw = torch.Generator().manual_seed(0)
    codes = (randn(20, 256).to(torch.float8_e4m3fn), randn(128, 256, seed=1).to(torch.float8_e4m3fn))
    return codes[0], torch.rand(20, 2, generator=draw), codes[1], torch.rand(1, 2, generator=draw)


def scaled_product(a, a_s, b, b_s):
    return (a.double() * a_s.repeat_interleave(128, 1)) @ (b.double() * b_s.repeat_interleave(128, 1)).T


CASES = [
    Case("mm", "ops.mm", lambda m, a, b, c: m.mm(a, b), lambda a, b, c: a @ b, matrices, Accuracy(2, 50)),
    Case(
        "addmm",
        "ops.addmm",
        lambda m, a, b, c: m.addmm(c, a, b, beta=0.5, alpha=2.0),
        lambda a, b, c: 0.5 * c + 2.0 * (a @ b),
        matrices,
        Accuracy(3, 50),
    ),
    Case(
        "baddbmm",
        "ops.baddbmm",
        lambda m, c, a, b: m.baddbmm(c, a, b, 0.5, 2.0),
        lambda c, a, b: 0.5 * c + 2.0 * (a @ b),
        batches,
        Accuracy(3, 50),
    ),
    Case(
        "mv",
        "ops.mv",
        lambda m, a, b: m.mv(a, b),
        torch.mv,
        lambda dtype: (randn(40, 300, dtype=dtype), randn(300, dtype=dtype, seed=1)),
        Accuracy(2, 300),
    ),
    Case(
        "dot",
        "ops.dot",
        lambda m, a, b: m.dot(a, b),
        torch.dot,
        lambda dtype: (randn(900, dtype=dtype), randn(900, dtype=dtype, seed=1)),
        Accuracy(2, 900, scale=30),
    ),
    Case(
        "vdot",
        "ops.vdot",
        lambda m, a, b: m.vdot(a, b),
        torch.vdot,
        lambda dtype: (randn(900, dtype=dtype), randn(900, dtype=dtype, seed=1)),
        Accuracy(2, 900, scale=30),
    ),
    Case(
        "kron",
        "ops.kron",
        lambda m, a, b: m.kron(a, b),
        torch.kron,
        lambda dtype: (randn(5, 7, dtype=dtype), randn(6, 9, dtype=dtype, seed=1)),
        Accuracy(1),
    ),
    Case(
        "conv2d",
        "ops.conv2d",
        lambda m, x, w, b: m.conv2d(x, w, b, 2, 1),
        lambda x, w, b: F.conv2d(x, w, b, 2, 1),
        lambda dtype: (
            randn(2, 4, 12, 10, dtype=dtype),
            randn(6, 4, 3, 3, dtype=dtype, seed=1),
            randn(6, dtype=dtype, seed=2),
        ),
        Accuracy(2, 40),
    ),
    Case(
        "conv3d",
        "ops.conv3d",
        lambda m, x, w, b: m.conv3d(x, w, b),
        F.conv3d,
        lambda dtype: (
            randn(1, 3, 5, 6, 7, dtype=dtype),
            randn(4, 3, 3, 3, 3, dtype=dtype, seed=1),
            randn(4, dtype=dtype, seed=2),
        ),
        Accuracy(2, 90),
    ),
    Case(
        "hadamard",
        "ops.hadamard_transform",
        lambda m, x: m.hadamard_transform(x, 0.5),
        hadamard,
        lambda dtype: (randn(5, 64, dtype=dtype),),
        Accuracy(2, 64),
    ),
    Case(
        "fp8-mm",
        "ops.fp8_matmul",
        lambda m, *a: m.fp8_matmul(*a),
        scaled_product,
        scaled_codes,
        Accuracy(2, 300),
        ("bf16",),
        widen=False,
    ),
]


@parameters(CASES)
def test_linear(corpus, case, dtype):
    check(corpus, case, dtype)
