"""The whole Gated DeltaNet layer as models use it: projections, short convolutions, the gated delta rule, gated RMS
norm, output.

The layer is put together here from fla-core's modules (the class of the same name lives in another package, which needs
transformers); the definition is the same layer in float64 torch.
"""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from recorder import Recorder
from recurrence_check import gated_backward_is_allowed
from recurrences import delta
from sequence_shapes import Draw, Shape

from compare import DTYPES, agree

Tensor = torch.Tensor
HIDDEN, HEADS, KEYS, VALUES, TIME, BATCH = 64, 2, 16, 32, 70, 2


def _parameters(draw: Draw) -> dict[str, Tensor]:
    keys, values = HEADS * KEYS, HEADS * VALUES
    shapes = {
        "wq": (keys, HIDDEN),
        "wk": (keys, HIDDEN),
        "wv": (values, HIDDEN),
        "wg": (values, HIDDEN),
        "wa": (HEADS, HIDDEN),
        "wb": (HEADS, HIDDEN),
        "wo": (HIDDEN, values),
    }
    weights = {name: draw.normal(*dims, scale=HIDDEN**-0.5) for name, dims in shapes.items()}
    filters = {
        "cq": draw.normal(keys, 4, scale=0.5),
        "ck": draw.normal(keys, 4, scale=0.5),
        "cv": draw.normal(values, 4, scale=0.5),
    }
    rest = {
        "norm": draw.uniform(VALUES, low=0.5, high=1.5),
        "A_log": draw.uniform(HEADS, low=-1.0).float(),
        "dt_bias": draw.normal(HEADS).float(),
    }
    return weights | filters | rest


def _split(x: Tensor, size: int) -> Tensor:
    return x.unflatten(-1, (HEADS, size))


def _on_kernels(x: Tensor, **p: Tensor) -> Tensor:
    from fla.modules.convolution import causal_conv1d
    from fla.modules.fused_norm_gate import rms_norm_gated
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    q, k, v = (causal_conv1d(F.linear(x, p["w" + n]), p["c" + n], activation="silu")[0] for n in "qkv")
    beta = F.linear(x, p["wb"]).sigmoid()
    gate = -p["A_log"].float().exp() * F.softplus(F.linear(x, p["wa"]).float() + p["dt_bias"])
    out, _ = chunk_gated_delta_rule(
        _split(q, KEYS), _split(k, KEYS), _split(v, VALUES), gate, beta, use_qk_l2norm_in_kernel=True
    )
    out = rms_norm_gated(out, _split(F.linear(x, p["wg"]), VALUES), p["norm"], None)
    return F.linear(out.flatten(-2), p["wo"])


def _convolve(x: Tensor, weight: Tensor) -> Tensor:
    padded = F.pad(x.transpose(1, 2), (weight.shape[1] - 1, 0))
    return F.silu(F.conv1d(padded, weight.unsqueeze(1), groups=weight.shape[0])).transpose(1, 2)


def _unit(x: Tensor) -> Tensor:
    return x * (x.square().sum(-1, keepdim=True) + 1e-6).rsqrt()


def _defined(x: Tensor, **p: Tensor) -> Tensor:
    q, k, v = (_convolve(F.linear(x, p["w" + n]), p["c" + n]) for n in "qkv")
    beta = F.linear(x, p["wb"]).sigmoid()
    gate = -p["A_log"].exp() * F.softplus(F.linear(x, p["wa"]) + p["dt_bias"])
    out, _ = delta(_unit(_split(q, KEYS)), _unit(_split(k, KEYS)), _split(v, VALUES), beta, g=gate)
    normed = out * (out.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * p["norm"]
    return F.linear((normed * F.silu(_split(F.linear(x, p["wg"]), VALUES))).flatten(-2), p["wo"])


@pytest.mark.parametrize(
    "dtype", [pytest.param(t, marks=() if t == torch.bfloat16 else pytest.mark.campaign) for t in DTYPES], ids=str
)
def test_gated_delta_net_layer(corpus: Recorder, dtype: torch.dtype) -> None:
    draw = Draw(Shape())
    inputs = {"x": draw.normal(BATCH, TIME, HIDDEN)} | _parameters(draw)
    # Sixteen of the delta rule, and as many again of the projections, convolutions and norms around it, each rounded to
    # the dtype.
    agree(
        corpus,
        _on_kernels,
        _defined,
        inputs,
        dtype,
        roundings=48,
        tf32=True,
        cancelling=("A_log", "dt_bias"),
        backward=gated_backward_is_allowed(),
    )
