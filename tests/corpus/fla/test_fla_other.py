"""HGRN, slot attention (GSA, ABC), TTT, log-linear attention, DeltaFormer, MesaNet, RWKV4 and the small kernels of
RWKV7.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from attention_rules import scores, visible
from recorder import Recorder
from recurrence_check import gated_backward_is_allowed, stand_in_for_layers
from recurrences import by_sequence, heads_like, linear, read
from sequence_shapes import Draw, Shape, on_gpu, shape

from compare import agree, dtype_cases, in_float64

Tensor = torch.Tensor
OFFSETS = [0, 15, 79, 150]


def _hgrn(x: Tensor, g: Tensor, initial_state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    state, rows = x.new_zeros(x.shape[0], x.shape[2]) if initial_state is None else initial_state, []
    for t in range(x.shape[1]):
        state = g[:, t].exp() * state + x[:, t]
        rows.append(state)
    return torch.stack(rows, 1), state


@dtype_cases("plain", "states", "packed", ci=("states-bf16",))
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_hgrn(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import hgrn

    if (form, variant) == ("chunk", "packed"):
        pytest.skip("chunk_hgrn takes no packed sequences")
    draw = Draw(Shape())
    batch = 1 if variant == "packed" else 2
    inputs = {"x": draw.normal(batch, 150, 100), "g": draw.uniform(batch, 150, 100, low=0.5, high=0.99).log()}
    options: dict[str, Any] = {"output_final_state": True}
    if variant == "states":
        inputs["initial_state"] = draw.normal(2, 100).float()
    if variant == "packed":
        inputs["initial_state"] = draw.normal(3, 100).float()
        options["cu_seqlens"] = on_gpu(OFFSETS)
    rule = by_sequence(_hgrn, OFFSETS) if variant == "packed" else _hgrn
    fixed, leading = (
        (("initial_state",), 1) if form == "chunk" else ((), None)
    )  # chunk_hgrn differentiates neither state
    agree(
        corpus,
        partial(getattr(hgrn, f"{form}_hgrn"), **options),
        rule,
        inputs,
        dtype,
        roundings=16,
        dots=False,
        fixed=fixed,
        leading=leading,
    )


def _slots(
    q: Tensor, k: Tensor, v: Tensor, s: Tensor, g: Tensor, hk: Tensor | None = None, hv: Tensor | None = None
) -> Any:
    """Two linear recurrences: slots are the values of the first, whose softmax queries the second, and its keys."""
    weights, first = linear(q, k, s, decay_v=g, initial_state=hk)
    out, second = linear(weights.softmax(-1), s, v, scale=1.0, decay_k=g, initial_state=hv)
    return out, first, second


@dtype_cases("plain", "states", "packed")
@pytest.mark.parametrize("form", ["chunk", "fused_recurrent"])
def test_gsa(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import gsa

    sizes, slots = shape(variant), 16
    draw = Draw(sizes)
    width = (sizes.batch, sizes.time, sizes.heads)
    inputs = {
        "q": draw.keys(),
        "k": draw.keys(),
        "v": draw.values(),
        "s": draw.uniform(*width, slots),
        "g": draw.gate(slots),
    }
    if sizes.states:
        inputs |= {
            "hk": draw.normal(sizes.sequences, sizes.heads, sizes.keys, slots).float(),
            "hv": draw.normal(sizes.sequences, sizes.heads, slots, sizes.values).float(),
        }

    def operation(hk: Tensor | None = None, hv: Tensor | None = None, **tensors: Tensor) -> Any:
        states = None if hk is None else (hk, hv)
        out, final = getattr(gsa, f"{form}_gsa")(
            **tensors, initial_state=states, output_final_state=sizes.states, cu_seqlens=sizes.cu_seqlens
        )
        return (out, *final) if sizes.states else out

    def reference(hk: Tensor | None = None, hv: Tensor | None = None, **tensors: Tensor) -> Any:
        if not sizes.offsets:
            out, first, second = _slots(hk=hk, hv=hv, **tensors)
            return (out, first, second) if sizes.states else out
        rows = [
            _slots(hk=hk[i : i + 1], hv=hv[i : i + 1], **{n: x[:, b:e] for n, x in tensors.items()})
            for i, (b, e) in enumerate(zip(sizes.offsets, sizes.offsets[1:], strict=False))
        ]
        return torch.cat([r[0] for r in rows], 1), torch.cat([r[1] for r in rows]), torch.cat([r[2] for r in rows])

    agree(corpus, operation, reference, inputs, dtype, roundings=24, cancelling=("g", "s"))


@dtype_cases("step")
def test_gsa_decoding(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.gsa import fused_recurrent_gsa

    draw = Draw(Shape(batch=3, time=1, heads=2, keys=40, values=24))
    inputs = {
        "q": draw.keys(),
        "k": draw.keys(),
        "v": draw.values(),
        "s": draw.uniform(3, 1, 2, 16),
        "g": draw.gate(16),
        "hk": draw.normal(3, 2, 40, 16).float(),
        "hv": draw.normal(3, 2, 16, 24).float(),
    }

    def operation(hk: Tensor, hv: Tensor, **tensors: Tensor) -> Any:
        out, states = fused_recurrent_gsa(**tensors, initial_state=(hk, hv), output_final_state=True)
        return out, *states

    agree(corpus, operation, _slots, inputs, dtype, roundings=24, dots=False, backward=False)


@dtype_cases("plain", "ragged")
def test_abc(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.abc import chunk_abc
    from fla.ops.abc.naive import naive_recurrent_abc

    sizes = Shape(batch=1, time=128 if variant == "plain" else 77, heads=2, keys=32, values=32)
    draw = Draw(sizes)
    inputs = {"q": draw.keys(), "k": draw.keys(), "v": draw.values(), "s": draw.normal(1, sizes.time, 2, 16)}

    def reference(**tensors: Tensor) -> Tensor:
        return in_float64(naive_recurrent_abc)(**{n: x.transpose(1, 2) for n, x in tensors.items()})[0].transpose(1, 2)

    agree(corpus, lambda **tensors: chunk_abc(**tensors)[0], reference, inputs, dtype, roundings=32)


@dtype_cases("plain", "states")
@pytest.mark.parametrize("form", ["chunk", "fused_chunk"])
def test_ttt(corpus: Recorder, form: str, variant: str, dtype: torch.dtype) -> None:
    from fla.ops import ttt
    from fla.ops.ttt.naive import chunk_ttt_linear_ref

    draw = Draw(Shape(batch=1, time=64 if variant == "plain" else 75, heads=2, keys=32, values=32))
    inputs = {
        "q": F.normalize(draw.keys(), dim=-1),
        "k": F.normalize(draw.keys(), dim=-1),
        "v": draw.values(),
        "w": draw.normal(2, 32),
        "b": draw.normal(2, 32),
        "eta": draw.uniform(1, draw.sizes.time, 2, 1, high=5e-3),
    }
    if variant == "states":
        inputs |= {
            "initial_state": draw.normal(1, 2, 32, 32, scale=0.1).float(),
            "initial_state_bias": draw.normal(1, 2, 1, 32, scale=0.1).float(),
        }
    states = variant == "states" and draw.sizes.time % 16 == 0
    # With an empty state the first chunk normalises zeros; a larger eps keeps what follows inside float16's range.
    operation = partial(getattr(ttt, f"{form}_ttt_linear"), chunk_size=16, output_final_state=states, eps=0.1)

    def reference(**tensors: Tensor) -> Any:  # the package's own definition scales q in place
        copies = {name: tensor.clone() for name, tensor in tensors.items()}
        return in_float64(chunk_ttt_linear_ref)(**copies, mini_batch_size=16, output_final_state=states, eps=0.1)

    agree(corpus, operation, reference, inputs, dtype, roundings=48)


@dtype_cases("plain")
def test_log_linear(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.log_linear_attn import chunk_log_linear_attn
    from fla.ops.log_linear_attn.naive import naive_log_linear_attn

    time = 128  # other lengths: see test_fla_findings.py
    sizes = Shape(batch=1, time=time, heads=2, keys=64, values=64)
    draw = Draw(sizes)
    inputs = {
        "q": draw.keys(heads=1),
        "k": draw.keys(heads=1),
        "v": draw.values(),
        "g": draw.gate(low=0.8),
        "level_scales": draw.uniform(1, time, 2, 8),
    }

    def reference(q: Tensor, k: Tensor, **rest: Tensor) -> Tensor:
        return in_float64(naive_log_linear_attn)(heads_like(q, 2), heads_like(k, 2), **rest)

    agree(
        corpus,
        lambda **tensors: chunk_log_linear_attn(**tensors)[0],
        reference,
        inputs,
        dtype,
        roundings=24,
        cancelling=("g",),
    )


def _deltaformer(q: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    weights = scores(q, k)
    strict = visible(q.shape[1], q.shape[1]) & ~torch.eye(q.shape[1], dtype=torch.bool)
    weights = weights.masked_fill(~strict, float("-inf"))
    weights = torch.cat((torch.zeros_like(weights[:, :, :1]), weights[:, :, 1:].softmax(-1)), 2)
    system = torch.eye(q.shape[1], dtype=q.dtype) + beta.transpose(1, 2).unsqueeze(-1) * weights
    return torch.linalg.solve_triangular(system, v.transpose(1, 2), upper=False).transpose(1, 2)


@dtype_cases("plain")
def test_deltaformer(corpus: Recorder, monkeypatch: pytest.MonkeyPatch, variant: str, dtype: torch.dtype) -> None:
    """The corrected values; the attention over them is flash-attn's, which is no Triton kernel."""
    stand_in_for_layers(monkeypatch)
    from fla.ops.deltaformer.parallel import ParallelDeltaformerFunction

    draw = Draw(Shape(batch=1, time=128, heads=2, keys=32, values=32))
    inputs = {"q": draw.keys(), "k": draw.keys(), "v": draw.values(), "beta": draw.beta()}

    def operation(q: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
        return ParallelDeltaformerFunction.apply(q, k, v, beta, 64, None)

    agree(corpus, operation, _deltaformer, inputs, dtype, roundings=24)


def _mesa(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    g: Tensor,
    beta: Tensor,
    lamb: Tensor,
    kk: Tensor | None = None,
    kv: Tensor | None = None,
) -> Any:
    states = []
    for target, start in ((k, kk), (v, kv)):
        state, steps = q.new_zeros(q.shape[0], q.shape[2], q.shape[3], q.shape[3]) if start is None else start, []
        for t in range(q.shape[1]):
            state = state * g[:, t].exp()[..., None, None] + (k[:, t] * beta[:, t].unsqueeze(-1)).unsqueeze(
                -1
            ) * target[:, t].unsqueeze(-2)
            steps.append(state)
        states.append(torch.stack(steps, 1))
    solved = torch.linalg.solve(states[0] + torch.diag_embed(lamb), q.unsqueeze(-1)).squeeze(-1)
    return read(solved, states[1]), states[0][:, -1], states[1][:, -1]


@dtype_cases("plain", "ragged", "states")
def test_mesa_net(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.mesa_net import chunk_mesa_net

    states = variant == "states"
    sizes = Shape(batch=1, time={"plain": 128, "ragged": 77, "states": 100}[variant], heads=2, keys=32, values=32)
    draw = Draw(sizes)
    inputs = {
        "q": draw.keys(unit=True),
        "k": draw.keys(unit=True),
        "v": draw.values(),
        "g": draw.gate(low=0.8),
        "beta": draw.beta().float(),
        "lamb": draw.uniform(2, 32, low=0.8, high=1.2).float(),
    }
    if states:
        root = draw.normal(1, 2, 32, 32, scale=0.2)
        inputs |= {"kk": (root @ root.transpose(-1, -2)).float(), "kv": draw.normal(1, 2, 32, 32, scale=0.2).float()}

    def operation(kk: Tensor | None = None, kv: Tensor | None = None, **tensors: Tensor) -> Any:
        result = chunk_mesa_net(**tensors, h_kk_init=kk, h_kv_init=kv, output_final_state=states, max_CG_iteration=30)
        return result if states else result[0]

    def reference(**tensors: Tensor) -> Any:
        return _mesa(**tensors) if states else _mesa(**tensors)[0]

    # Thirty conjugate-gradient steps on rounded states, ended by a 1e-5 in their quotients; lambda near 1 keeps the
    # systems tame.
    agree(corpus, operation, reference, inputs, dtype, roundings=48, tf32=True, backward=gated_backward_is_allowed())


@dtype_cases("step")
def test_mesa_net_decoding(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.mesa_net import (
        mesa_net_decoding_one_step,
        naive_mesa_net_decoding_one_step,
    )

    draw = Draw(Shape())
    root = draw.normal(3, 2, 32, 32, scale=0.2)
    inputs = {
        "q": F.normalize(draw.normal(3, 2, 32), dim=-1),
        "k": F.normalize(draw.normal(3, 2, 32), dim=-1),
        "v": draw.normal(3, 2, 32),
        "g": draw.uniform(3, 2, low=0.8).log().float(),
        "beta": draw.uniform(3, 2).float(),
        "lamb": draw.uniform(2, 32, low=0.8, high=1.2).float(),
        "prev_h_kk": (root @ root.transpose(-1, -2)).float(),
        "prev_h_kv": draw.normal(3, 2, 32, 32, scale=0.2).float(),
    }

    # The definition with the same thirty conjugate-gradient steps: their 1e-5 in the quotients is not a rounding.
    agree(
        corpus,
        mesa_net_decoding_one_step,
        in_float64(naive_mesa_net_decoding_one_step),
        inputs,
        dtype,
        roundings=48,
        dots=False,
        backward=False,
    )


@dtype_cases("plain")
def test_rwkv4(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    from fla.ops.rwkv4 import fused_recurrent_rwkv4

    draw = Draw(Shape())
    inputs = {"w": draw.normal(48), "u": draw.normal(48), "k": draw.normal(2, 30, 48), "v": draw.normal(2, 30, 48)}
    state = torch.zeros(2, 3, 1, 48)
    state[:, 2] = -1e30

    def reference(w: Tensor, u: Tensor, k: Tensor, v: Tensor) -> Tensor:
        keep, rows = -w.exp(), []
        total, weight = torch.zeros(2, 48, dtype=k.dtype), torch.zeros(2, 48, dtype=k.dtype)
        for t in range(k.shape[1]):
            now = (u + k[:, t]).exp()
            rows.append((total + now * v[:, t]) / (weight + now))
            total, weight = total * keep.exp() + k[:, t].exp() * v[:, t], weight * keep.exp() + k[:, t].exp()
        return torch.stack(rows, 1)

    agree(
        corpus,
        lambda **tensors: fused_recurrent_rwkv4(**tensors, state=state.to(dtype).cuda())[0],
        reference,
        inputs,
        dtype,
        roundings=24,
        dots=False,
    )


@dtype_cases("mixing", "addcmul", "update", "update_packed", "correction")
def test_rwkv7_parts(corpus: Recorder, variant: str, dtype: torch.dtype) -> None:
    operation, reference, inputs = _RWKV7_PARTS[variant](Draw(Shape()))
    agree(corpus, operation, reference, inputs, dtype, roundings=24, dots=False)


def _mixing(draw: Draw) -> Any:
    from fla.ops.rwkv7.channel_mixing import (
        channel_mixing_rwkv7,
        channel_mixing_rwkv7_torch,
    )

    inputs = {
        "x": draw.normal(2, 32, 48),
        "x_prev": draw.normal(2, 48),
        "x_k": draw.normal(1, 1, 48),
        "key_weight": draw.normal(48, 64, scale=0.15),
        "value_weight": draw.normal(64, 48, scale=0.15),
    }
    return (
        (lambda **t: channel_mixing_rwkv7(**t, inplace=False)[0]),
        (lambda **t: channel_mixing_rwkv7_torch(**t)[0]),
        inputs,
    )


def _addcmul(draw: Draw) -> Any:
    from fla.ops.rwkv7.fused_addcmul import fused_addcmul_rwkv7, torch_addcmul_rwkv7

    inputs = {"hidden_states": draw.normal(2, 33, 48), "delta": draw.normal(2, 33, 48)}
    inputs |= {name: draw.normal(1, 1, 48) for name in ("xr", "xw", "xk", "xv", "xa", "xg")}
    return fused_addcmul_rwkv7, torch_addcmul_rwkv7, inputs


def _update(draw: Draw, packed: bool = False) -> Any:
    from fla.ops.rwkv7.fused_k_update import fused_k_rwkv7, k_update_ref

    inputs = {
        "k": draw.normal(1 if packed else 2, 150, 48),
        "a": draw.uniform(1 if packed else 2, 150, 48),
        "ka": draw.normal(1, 1, 48),
    }
    offsets = on_gpu(OFFSETS) if packed else None
    return partial(fused_k_rwkv7, cu_seqlens=offsets), k_update_ref, inputs


def _correction(draw: Draw) -> Any:
    from fla.ops.rwkv7.gate_output_correction import (
        gate_output_correction,
        gate_output_correction_ref,
    )

    wide = (2, 33, 3, 16)
    inputs = {
        "o": draw.normal(2, 33, 48),
        "r": draw.normal(*wide),
        "k": draw.normal(*wide),
        "r_k": draw.normal(3, 16),
        "v": draw.normal(*wide),
        "g": draw.normal(2, 33, 48),
    }
    return gate_output_correction, gate_output_correction_ref, inputs


_RWKV7_PARTS = {
    "mixing": _mixing,
    "addcmul": _addcmul,
    "update": _update,
    "update_packed": partial(_update, packed=True),
    "correction": _correction,
}
