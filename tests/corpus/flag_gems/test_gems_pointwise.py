"""flag_gems' generated kernels: `pointwise_dynamic` writes Triton source for the rank, strides and broadcast of its
operands into a cache folder and imports it. Each function runs on contiguous, transposed, sliced and broadcast
operands, against torch in float64."""

from __future__ import annotations

import torch
from support.autograd import Accuracy, randn
from support.gems import Case, check, parameters

F = torch.nn.functional
EXACT = None


def plain(dtype):
    return (randn(6, 50, dtype=dtype),)


def strided(dtype):
    return (randn(7, 6, 50, dtype=dtype).transpose(0, 2)[::2],)


def positive(dtype):
    return (randn(6, 50).abs().add(0.1).to(dtype),)


def inside(dtype):
    return (torch.tanh(randn(6, 50)).mul(0.95).to(dtype),)


def odd(dtype):
    values = randn(6, 50, dtype=dtype)
    values[0, :6] = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0]).to(dtype)
    return (values,)


def broadcast(dtype):
    return randn(4, 1, 30, dtype=dtype), randn(5, 1, dtype=dtype, seed=1)


def pairs(dtype):
    left = randn(40, 30, dtype=dtype)
    right = torch.where(randn(40, 30, seed=2) > 0, left, randn(40, 30, dtype=dtype, seed=1))
    return left.T, right.T


def triples(dtype):
    return randn(20, 30, dtype=dtype), randn(30, dtype=dtype, seed=1), randn(20, 1, dtype=dtype, seed=2).abs() + 0.5


def powers(dtype):
    return randn(20, 30).abs().add(0.2).to(dtype), randn(30, dtype=dtype, seed=1)


def integers(_):
    draw = torch.Generator().manual_seed(0)
    return tuple(torch.randint(-1000, 1000, shape, generator=draw, dtype=torch.int32) for shape in ((20, 30), (30,)))


def unary(name, reference, inputs, accuracy, module=None, function=None):
    return Case(
        name, f"ops.{module or name}", lambda m, x: getattr(m, function or name)(x), reference, inputs, accuracy
    )


def binary(name, reference, inputs, accuracy, module=None, dtypes=("f32", "f16", "bf16")):
    return Case(
        name, f"ops.{module or name}", lambda m, x, y: getattr(m, name)(x, y), reference, inputs, accuracy, dtypes
    )


CASES = [
    unary("abs", torch.abs, strided, EXACT),
    unary("neg", torch.neg, strided, EXACT),
    unary("ceil", torch.ceil, plain, EXACT),
    unary("relu", torch.relu, strided, EXACT),
    unary("square", torch.square, plain, Accuracy(1)),
    unary("signbit", torch.signbit, odd, EXACT),
    unary("isnan", torch.isnan, odd, EXACT),
    unary("isinf", torch.isinf, odd, EXACT),
    unary("isfinite", torch.isfinite, odd, EXACT),
    unary("logical_not", torch.logical_not, odd, EXACT),
    unary("reciprocal", torch.reciprocal, positive, Accuracy(2, 4)),
    unary("exp", torch.exp, plain, Accuracy(2, 8)),
    unary("exp2", torch.exp2, plain, Accuracy(2, 8)),
    unary("expm1", torch.expm1, plain, Accuracy(2, 8)),
    unary("log", torch.log, positive, Accuracy(2, 8)),
    unary("log10", torch.log10, positive, Accuracy(2, 8)),
    unary("sqrt", torch.sqrt, positive, Accuracy(2, 4)),
    unary("rsqrt", torch.rsqrt, positive, Accuracy(2, 4)),
    unary("sin", torch.sin, strided, Accuracy(2, 8)),
    unary("cos", torch.cos, plain, Accuracy(2, 8)),
    unary("tan", torch.tan, inside, Accuracy(2, 8)),
    unary("tanh", torch.tanh, plain, Accuracy(2, 8)),
    unary("cosh", torch.cosh, plain, Accuracy(2, 8)),
    unary("acos", torch.acos, inside, Accuracy(2, 8)),
    unary("atan", torch.atan, plain, Accuracy(2, 8)),
    unary("erf", torch.erf, plain, Accuracy(2, 8)),
    unary("sigmoid", torch.sigmoid, strided, Accuracy(2, 8)),
    unary("silu", F.silu, plain, Accuracy(2, 8)),
    unary("gelu", F.gelu, plain, Accuracy(3, 8)),
    unary("softplus", F.softplus, plain, Accuracy(2, 8)),
    unary("log_sigmoid", F.logsigmoid, plain, Accuracy(2, 8)),
    unary("celu", F.celu, plain, Accuracy(3, 8)),
    unary("elu", F.elu, plain, Accuracy(3, 8)),
    unary("nan_to_num", torch.nan_to_num, plain, EXACT),
    binary("add", torch.add, broadcast, Accuracy(1)),
    binary("sub", torch.sub, broadcast, Accuracy(1)),
    binary("mul", torch.mul, broadcast, Accuracy(1)),
    binary("true_divide", torch.true_divide, lambda d: (*plain(d), *positive(d)), Accuracy(2, 4), "div"),
    binary("floor_divide", torch.floor_divide, integers, EXACT, "div", ("f32",)),
    binary("remainder", torch.remainder, integers, EXACT, "div", ("f32",)),
    binary("maximum", torch.maximum, broadcast, EXACT),
    binary("minimum", torch.minimum, broadcast, EXACT),
    binary("eq", torch.eq, pairs, EXACT),
    binary("ne", torch.ne, pairs, EXACT),
    binary("lt", torch.lt, pairs, EXACT),
    binary("le", torch.le, pairs, EXACT),
    binary("gt", torch.gt, pairs, EXACT),
    binary("ge", torch.ge, pairs, EXACT),
    binary("logical_and", torch.logical_and, pairs, EXACT),
    binary("logical_xor", torch.logical_xor, pairs, EXACT),
    binary("atan2", torch.atan2, broadcast, Accuracy(2, 8)),
    binary("logaddexp", torch.logaddexp, broadcast, Accuracy(3, 8)),
    binary("copysign", torch.copysign, broadcast, EXACT),
    binary("pow_tensor_tensor", torch.pow, powers, Accuracy(3, 16), "pow"),
    binary("bitwise_and_tensor", torch.bitwise_and, integers, EXACT, "bitwise_and", ("f32",)),
    binary("bitwise_or_tensor", torch.bitwise_or, integers, EXACT, "bitwise_or", ("f32",)),
    Case(
        "addcmul",
        "ops.addcmul",
        lambda m, a, b, c: m.addcmul(a, b, c, value=0.5),
        lambda a, b, c: torch.addcmul(a, b, c, value=0.5),
        triples,
        Accuracy(3, 4),
    ),
    Case(
        "addcdiv",
        "ops.addcdiv",
        lambda m, a, b, c: m.addcdiv(a, b, c, value=0.5),
        lambda a, b, c: torch.addcdiv(a, b, c, value=0.5),
        triples,
        Accuracy(3, 4),
    ),
    Case(
        "lerp",
        "ops.lerp",
        lambda m, a, b, c: m.lerp_tensor(a, b.expand(20, 30), c.expand(20, 30)),
        lambda a, b, c: torch.lerp(a, b, c),
        triples,
        Accuracy(4, 4, scale=2.0),
    ),
    Case(
        "where",
        "ops.where",
        lambda m, a, b: m.where_self(a > b, a, b),
        lambda a, b: torch.where(a > b, a, b),
        broadcast,
        EXACT,
    ),
    Case("clamp", "ops.clamp", lambda m, a: m.clamp(a, -0.5, 0.75), lambda a: a.clamp(-0.5, 0.75), strided, EXACT),
    Case(
        "masked-fill",
        "ops.masked_fill",
        lambda m, a: m.masked_fill(a, a > 0, -2.0),
        lambda a: a.masked_fill(a > 0, -2.0),
        strided,
        EXACT,
    ),
    Case("flip", "ops.flip", lambda m, a: m.flip(a, [0, 2]), lambda a: a.flip(0, 2), strided, EXACT),
    Case("glu", "ops.glu", lambda m, a: m.glu(a, -1), lambda a: F.glu(a, -1), plain, Accuracy(3, 8)),
    Case(
        "tanh-backward",
        "ops.tanh",
        lambda m, g, y: m.tanh_backward(g, y),
        lambda g, y: g * (1 - y * y),
        lambda d: (*plain(d), *inside(d)),
        Accuracy(3, 4),
    ),
    Case(
        "silu-backward",
        "ops.silu",
        lambda m, g, x: m.silu_backward(g, x),
        lambda g, x: torch.ops.aten.silu_backward(g, x),
        lambda d: (randn(6, 50, dtype=d), randn(6, 50, dtype=d, seed=1)),
        Accuracy(3, 8),
    ),
    Case(
        "gelu-backward",
        "ops.gelu",
        lambda m, g, x: m.gelu_backward(g, x),
        lambda g, x: torch.ops.aten.gelu_backward(g, x),
        lambda d: (randn(6, 50, dtype=d), randn(6, 50, dtype=d, seed=1)),
        Accuracy(3, 8),
    ),
    Case("mse", "ops.mse_loss", lambda m, a, b: m.mse_loss(a, b, 1), F.mse_loss, pairs, Accuracy(3, 1200)),
]


@parameters(CASES)
def test_pointwise(corpus, case, dtype):
    check(corpus, case, dtype)
