"""The modules: norms (plain, gated, grouped, residual), rotary, short convolution, activations, losses, token shift."""

from __future__ import annotations

import itertools
from collections.abc import Callable
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
# A reduction of n float32 terms by halves rounds log2(n) times; the rest are the few element-wise steps before and
# after it.
ROUNDINGS = 24


def _draw() -> Draw:
    return Draw(Shape())


def _norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float, rms: bool, groups: int = 1) -> Tensor:
    rows = x.unflatten(-1, (groups, -1))
    rows = rows if rms else rows - rows.mean(-1, keepdim=True)
    out = (rows * (rows.square().mean(-1, keepdim=True) + eps).rsqrt()).flatten(-2)
    out = out if weight is None else out * weight
    return out if bias is None else out + bias


@dtype_cases("layer_norm", "rms_norm", "group_norm", "group_norm_rms", ci=("rms_norm-bf16", "layer_norm-f32"))
@pytest.mark.parametrize("width", [64, 100, 1500])
@pytest.mark.parametrize("residual", [False, True])
def test_norm(corpus: Recorder, residual: bool, width: int, variant: str, dtype: torch.dtype) -> None:
    from fla.modules import layernorm

    draw = _draw()
    groups, rms = (4 if variant.startswith("group") else 1), variant.endswith("rms") or variant == "rms_norm"
    inputs = {"x": draw.normal(3, 11, width), "weight": draw.normal(width), "bias": draw.normal(width)}
    options: dict[str, Any] = {"eps": 1e-5}
    if variant.startswith("group"):
        options |= {"num_groups": groups, "is_rms_norm": rms}
    if residual:
        inputs["residual"] = draw.normal(3, 11, width)
        options["prenorm"] = True

    def reference(x: Tensor, weight: Tensor, bias: Tensor, residual: Tensor | None = None) -> Any:
        total = x if residual is None else x + residual
        out = _norm(total, weight, bias, 1e-5, rms, groups)
        return out if residual is None else (out, total)

    operation = getattr(layernorm, "group_norm" if groups > 1 else variant)
    agree(corpus, partial(operation, **options), reference, inputs, dtype, roundings=ROUNDINGS, dots=False)


@dtype_cases("layer_norm", "rms_norm", ci=("rms_norm-bf16",))
@pytest.mark.parametrize("activation", ["swish", "sigmoid"])
@pytest.mark.parametrize("width", [64, 100, 1100])
def test_gated_norm(corpus: Recorder, width: int, activation: str, variant: str, dtype: torch.dtype) -> None:
    from fla.modules import fused_norm_gate

    draw = _draw()
    inputs = {
        "x": draw.normal(3, 11, width),
        "g": draw.normal(3, 11, width),
        "weight": draw.normal(width),
        "bias": draw.normal(width),
    }

    def reference(x: Tensor, g: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        out = _norm(x, weight, bias, 1e-6, variant == "rms_norm")
        return out * (F.silu(g) if activation == "swish" else g.sigmoid())

    operation = partial(getattr(fused_norm_gate, f"{variant}_gated"), activation=activation)
    agree(corpus, operation, reference, inputs, dtype, roundings=ROUNDINGS, dots=False)


@dtype_cases("layer_norm", "rms_norm")
@pytest.mark.parametrize("gate_first", [False, True])
def test_mamba_norm(corpus: Recorder, gate_first: bool, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.layernorm_gated import layernorm_fn

    draw = _draw()
    inputs = {"x": draw.normal(7, 96), "z": draw.normal(7, 96), "weight": draw.normal(96), "bias": draw.normal(96)}
    rms = variant == "rms_norm"

    def reference(x: Tensor, z: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        if gate_first:
            return _norm(x * F.silu(z), weight, bias, 1e-6, rms)
        return _norm(x, weight, bias, 1e-6, rms) * F.silu(z)

    operation = partial(layernorm_fn, norm_before_gate=not gate_first, is_rms_norm=rms)
    agree(corpus, operation, reference, inputs, dtype, roundings=ROUNDINGS, dots=False)


@dtype_cases("layer_norm", "rms_norm")
def test_norm_linear(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules import layernorm

    draw = _draw()
    inputs = {
        "x": draw.normal(3, 11, 64),
        "norm_weight": draw.normal(64),
        "norm_bias": draw.normal(64),
        "linear_weight": draw.normal(48, 64, scale=0.125),
        "linear_bias": draw.normal(48),
    }

    def reference(
        x: Tensor, norm_weight: Tensor, norm_bias: Tensor, linear_weight: Tensor, linear_bias: Tensor
    ) -> Tensor:
        return F.linear(_norm(x, norm_weight, norm_bias, 1e-5, variant == "rms_norm"), linear_weight, linear_bias)

    agree(corpus, getattr(layernorm, f"{variant}_linear"), reference, inputs, dtype, roundings=ROUNDINGS, dots=False)


@dtype_cases("narrow", "odd", "wide", ci=("odd-f16",))
def test_l2norm(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.l2norm import l2norm

    inputs = {"x": _draw().normal(2, 37, 2, {"narrow": 64, "odd": 60, "wide": 1024}[variant])}
    agree(
        corpus,
        l2norm,
        lambda x: x * (x.square().sum(-1, keepdim=True) + 1e-6).rsqrt(),
        inputs,
        dtype,
        roundings=ROUNDINGS,
        dots=False,
    )


def _rotate(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> Tensor:
    half = cos.shape[-1]
    head, rest = x[..., : 2 * half], x[..., 2 * half :]
    a, b = (head[..., ::2], head[..., 1::2]) if interleaved else (head[..., :half], head[..., half:])
    c, s = cos.unsqueeze(-2), sin.unsqueeze(-2)
    turned = (a * c - b * s, a * s + b * c)
    joined = torch.stack(turned, -1).flatten(-2) if interleaved else torch.cat(turned, -1)
    return torch.cat((joined, rest), -1)


@dtype_cases("plain", "interleaved", "offset", "packed", ci=("packed-bf16",))
def test_rotary(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.rotary import rotary_embedding

    draw = _draw()
    packed = variant == "packed"
    time, half = (150 if packed else 37), 24
    angles = draw.uniform(200, half, high=6.0)
    inputs = {"x": draw.normal(1 if packed else 2, time, 3, 64), "cos": angles.cos(), "sin": angles.sin()}
    options: dict[str, Any] = {"interleaved": variant == "interleaved"}
    if variant == "offset":
        options["seqlen_offsets"] = on_gpu([5, 17])
    if packed:
        options["cu_seqlens"] = on_gpu(OFFSETS)

    def reference(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        if packed:
            places = torch.cat([torch.arange(e - b) for b, e in itertools.pairwise(OFFSETS)]).unsqueeze(0)
        else:
            starts = torch.tensor([[5], [17]]) if variant == "offset" else torch.zeros(2, 1, dtype=torch.long)
            places = starts + torch.arange(time)
        return _rotate(x, cos[places], sin[places], variant == "interleaved")

    agree(
        corpus,
        partial(rotary_embedding, **options),
        reference,
        inputs,
        dtype,
        roundings=8,
        dots=False,
        fixed=("cos", "sin"),
    )


def _convolution(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    residual: Tensor | None = None,
    initial_state: Tensor | None = None,
    activation: str | None = None,
) -> tuple[Tensor, Tensor]:
    """[batch, time, channels] with weights [channels, width]; the state is the last `width` inputs, [batch, channels,
    width].
    """
    width = weight.shape[1]
    before = x.new_zeros(x.shape[0], width, x.shape[2]) if initial_state is None else initial_state.transpose(1, 2)
    longer = torch.cat((before, x), 1)
    out = sum(longer[:, 1 + i : 1 + i + x.shape[1]] * weight[:, i] for i in range(width))
    out = out if bias is None else out + bias
    out = F.silu(out) if activation else out
    return out if residual is None else out + residual, longer[:, -width:].transpose(1, 2)


@dtype_cases("plain", "bias", "states", "packed", ci=("states-bf16",))
@pytest.mark.parametrize("activation", [None, "silu"])
def test_short_convolution(corpus: Recorder, activation: str | None, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.convolution import causal_conv1d

    draw = _draw()
    packed, states = variant == "packed", variant in ("states", "packed")
    batch, time = (1, 150) if packed else (2, 77)
    inputs = {"x": draw.normal(batch, time, 48), "weight": draw.normal(48, 4)}
    if variant != "plain":
        inputs |= {"bias": draw.normal(48), "residual": draw.normal(batch, time, 48)}
    if states:
        inputs["initial_state"] = draw.normal(len(OFFSETS) - 1 if packed else batch, 48, 4)
    options: dict[str, Any] = {"activation": activation, "output_final_state": states}
    if packed:
        options["cu_seqlens"] = on_gpu(OFFSETS)

    def reference(
        x: Tensor, residual: Tensor | None = None, initial_state: Tensor | None = None, **rest: Tensor
    ) -> Any:
        if not packed:
            out, state = _convolution(x, residual=residual, initial_state=initial_state, activation=activation, **rest)
            return (out, state[..., 1:]) if states else out
        rows = [
            _convolution(
                x[:, b:e],
                residual=residual[:, b:e],
                initial_state=initial_state[i : i + 1],
                activation=activation,
                **rest,
            )
            for i, (b, e) in enumerate(itertools.pairwise(OFFSETS))
        ]
        return torch.cat([r[0] for r in rows], 1), torch.cat([r[1] for r in rows])[..., 1:]

    def operation(**tensors: Tensor) -> Any:
        out, state = causal_conv1d(**tensors, **options)
        return (
            (out, state[..., 1:]) if states else out
        )  # no later step reads the oldest column, and its gradient is dropped

    agree(corpus, operation, reference, inputs, dtype, roundings=12, dots=False)


@dtype_cases("silu")
def test_convolution_step(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.conv.triton.ops import causal_conv1d_update

    draw = _draw()
    inputs = {
        "x": draw.normal(5, 1, 48),
        "cache": draw.normal(5, 48, 4),
        "weight": draw.normal(48, 4),
        "bias": draw.normal(48),
    }

    def reference(x: Tensor, cache: Tensor, weight: Tensor, bias: Tensor) -> Any:
        return _convolution(x, weight, bias, initial_state=cache, activation=variant)

    agree(
        corpus,
        partial(causal_conv1d_update, activation=variant),
        reference,
        inputs,
        dtype,
        roundings=12,
        dots=False,
        backward=False,
    )


_ACTIVATIONS: dict[str, Callable[..., Tensor]] = {
    "sigmoid": torch.sigmoid,
    "logsigmoid": F.logsigmoid,
    "swish": F.silu,
    "sqrelu": lambda x: x.relu().square(),
    "swiglu": lambda x, y: F.silu(x) * y,
    "sigmoidglu": lambda x, y: x.sigmoid() * y,
    "powglu": lambda x, y: (
        torch.where(x > 0, x.sigmoid() * x.clamp_min(1e-30) ** (3 / (x.clamp_min(0).sqrt() + 1)), x * x.sigmoid()) * y
    ),
}


@dtype_cases("sigmoid", "logsigmoid", "swish", "swiglu", "sigmoidglu", "powglu", ci=("swiglu-bf16",))
@pytest.mark.parametrize("strided", [False, True])
def test_activation(corpus: Recorder, strided: bool, variant: str, dtype: torch.dtype) -> None:
    from fla.modules import activations

    draw = _draw()
    names = ("x", "y") if variant.endswith("glu") else ("x",)
    inputs = {name: draw.normal(7, 130, scale=2.0) for name in names}
    operation = getattr(activations, variant)

    def run(**tensors: Tensor) -> Tensor:
        columns = [tensor[:, :100] if strided else tensor for tensor in tensors.values()]
        return operation(*columns)

    def reference(**tensors: Tensor) -> Tensor:
        columns = [tensor[:, :100] if strided else tensor for tensor in tensors.values()]
        return _ACTIVATIONS[variant](*columns)

    # exp and sigmoid in float32 are within a few units of the last place; their arguments were exact.
    agree(corpus, run, reference, inputs, dtype, roundings=24, dots=False)


@dtype_cases("swiglu", "sigmoidglu", "powglu")
def test_activation_linear(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules import activations

    draw = _draw()
    inputs = {
        "x": draw.normal(33, 64),
        "y": draw.normal(33, 64),
        "weight": draw.normal(48, 64, scale=0.125),
        "bias": draw.normal(48),
    }
    operation = getattr(activations, f"{variant}_linear")

    def reference(x: Tensor, y: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return F.linear(_ACTIVATIONS[variant](x, y), weight, bias)

    agree(corpus, lambda **tensors: operation(*tensors.values()), reference, inputs, dtype, roundings=24, dots=False)


def _cross_entropy(logits: Tensor, target: Tensor, smoothing: float, scale: float, squares: float) -> Tensor:
    logits = logits * scale
    kept = target != -100
    normaliser = logits.logsumexp(-1)
    loss = F.cross_entropy(logits, target, reduction="none", label_smoothing=smoothing) + squares * normaliser.square()
    return torch.where(kept, loss, torch.zeros_like(loss))


@dtype_cases("plain", "smoothed", ci=("smoothed-bf16",))
@pytest.mark.parametrize("words", [100, 1000])
def test_cross_entropy(corpus: Recorder, words: int, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.fused_cross_entropy import cross_entropy_loss

    draw = _draw()
    smoothing, scale, squares = (0.1, 0.7, 1e-2) if variant == "smoothed" else (0.0, 1.0, 0.0)
    target = torch.randint(words, (33,), generator=draw.generator)
    target[::7] = -100
    inputs = {"logits": draw.normal(33, words, scale=2.0)}

    def operation(logits: Tensor) -> Tensor:
        return cross_entropy_loss(
            logits, target.cuda(), label_smoothing=smoothing, logit_scale=scale, lse_square_scale=squares
        )[0]

    agree(
        corpus,
        operation,
        lambda logits: _cross_entropy(logits, target, smoothing, scale, squares),
        inputs,
        dtype,
        roundings=ROUNDINGS,
        dots=False,
    )


@dtype_cases("plain", "bias", ci=("bias-bf16",))
def test_linear_cross_entropy(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.fused_linear_cross_entropy import fused_linear_cross_entropy_loss

    draw = _draw()
    target = torch.randint(200, (33,), generator=draw.generator)
    target[::7] = -100
    inputs = {"x": draw.normal(33, 64), "weight": draw.normal(200, 64, scale=0.125)}
    if variant == "bias":
        inputs["bias"] = draw.normal(200)

    def reference(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        return F.cross_entropy(F.linear(x, weight, bias), target)

    def operation(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        return fused_linear_cross_entropy_loss(x, target.cuda(), weight, bias, num_chunks=4)

    # The logits are rounded to the dtype before the softmax; the gradients are products of such numbers.
    agree(corpus, operation, reference, inputs, dtype, roundings=32, dots=False)


@dtype_cases("plain", ci=("plain-bf16",))
def test_kl_divergence(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.fused_kl_div import fused_kl_div_loss

    draw = _draw()
    inputs = {
        "x": draw.normal(33, 64),
        "target_x": draw.normal(33, 48),
        "weight": draw.normal(200, 64, scale=0.125),
        "target_weight": draw.normal(200, 48, scale=0.125),
    }

    def reference(x: Tensor, target_x: Tensor, weight: Tensor, target_weight: Tensor) -> Tensor:
        return F.kl_div(
            F.linear(x, weight).log_softmax(-1), F.linear(target_x, target_weight).softmax(-1), reduction="batchmean"
        )

    agree(
        corpus,
        fused_kl_div_loss,
        reference,
        inputs,
        dtype,
        roundings=48,
        dots=False,
        fixed=("target_x", "target_weight"),
    )


@dtype_cases("plain", "masked")
def test_grpo(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.grpo import fused_grpo_loss

    draw = _draw()
    tokens = torch.randint(120, (3, 30), generator=draw.generator)
    mask = (torch.rand(3, 20, generator=draw.generator) > 0.3).int() if variant == "masked" else None
    advantages, reference_logp = draw.normal(3).float(), draw.normal(3, 20, scale=0.3).float() - 4.8
    inputs = {"logits": draw.normal(3, 21, 120)}

    def reference(logits: Tensor) -> Tensor:
        logp = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, -20:].unsqueeze(-1)).squeeze(-1)
        gap = reference_logp.double() - logp
        loss = -((logp - logp.detach()).exp() * advantages.double().unsqueeze(1) - 0.1 * (gap.exp() - gap - 1))
        return loss if mask is None else loss * mask

    def operation(logits: Tensor) -> Tensor:
        return fused_grpo_loss(
            logits,
            reference_logp.cuda(),
            tokens.cuda(),
            advantages.cuda(),
            completion_mask=None if mask is None else mask.cuda(),
        )

    # The gradient is of exp(gap) - gap - 1, which nearly cancels where the gap is small.
    agree(corpus, operation, reference, inputs, dtype, roundings=ROUNDINGS, dots=False, cancelling=("logits",))


@dtype_cases("plain", "packed", "cached", ci=("packed-bf16",))
def test_token_shift(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.modules.token_shift import token_shift

    draw = _draw()
    offsets = OFFSETS if variant == "packed" else []
    inputs = {"x": draw.normal(1 if offsets else 2, 150, 48)}
    options: dict[str, Any] = {"cu_seqlens": on_gpu(offsets)} if offsets else {}
    if variant == "cached":
        inputs["cache"] = draw.normal(2, 48)

    def reference(x: Tensor, cache: Tensor | None = None) -> Tensor:
        before = torch.cat(
            (x.new_zeros(x.shape[0], 1, x.shape[2]) if cache is None else cache.unsqueeze(1), x[:, :-1]), 1
        )
        starts = torch.zeros(x.shape[1], 1, dtype=torch.bool)
        starts[offsets[:-1]] = True
        return torch.where(starts, torch.zeros_like(before), before) - x

    agree(corpus, partial(token_shift, **options), reference, inputs, dtype, roundings=4, dots=False)


@dtype_cases("linear")
def test_bit_linear(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    """Forward only: the quantised activations are integers, so a rounding elsewhere moves an output by a whole step."""
    from fla.modules.fused_bitlinear import layer_norm_fwd_quant

    draw = _draw()
    x, weight = draw.normal(33, 96).to(dtype), draw.normal(96).to(dtype)
    out = layer_norm_fwd_quant(x.cuda(), weight.cuda(), None, 1e-6, is_rms_norm=True)[0].cpu().double()
    normed = _norm(x.double(), weight.double(), None, 1e-6, True)
    scale = 127 / normed.abs().amax(-1, keepdim=True).clamp_min(1e-5)
    expected = (normed * scale).round().clamp(-128, 127) / scale
    steps = ((out - expected).abs() * scale).max().item()
    corpus.agreed(steps, 1.5)
    assert steps <= 1.5, f"{steps} quantisation steps away"
