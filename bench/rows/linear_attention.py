"""Rows of fla's chunked linear attention: gated delta rule forward and backward, gated linear attention forward.

Both sides cut time into chunks of 64. torch's side is the chunked formulation in batched operators over all chunks and
heads (float32, the inverse by triangular solve), sequential only from chunk to chunk, where the state goes on.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F

from rows.work import Call, Case, Row

Tensor = torch.Tensor
CHUNK = 64


def chunks(x: Tensor) -> Tensor:
    """[1, time, heads, ...] as [heads, chunks, CHUNK, ...] in float32."""
    return x[0].float().transpose(0, 1).unflatten(1, (-1, CHUNK))


def joined(x: Tensor) -> Tensor:
    """What `chunks` did, undone."""
    return x.flatten(1, 2).transpose(0, 1)[None]


def torch_delta(q: Tensor, k: Tensor, v: Tensor, g: Tensor, beta: Tensor) -> Tensor:
    """The gated delta rule, chunk by chunk; all as the library takes it, [1, time, heads(, width)]."""
    scale = q.shape[-1] ** -0.5
    q, k, v, g, beta = (chunks(x) for x in (q, k, v, g, beta))
    decay = g.cumsum(-1)
    kept = (decay[..., :, None] - decay[..., None, :]).tril().exp().tril()
    wanted = beta[..., None] * k
    triangle = (wanted @ k.mT * kept).tril(-1) + torch.eye(CHUNK)
    right = torch.cat((beta[..., None] * v, wanted * decay.exp()[..., None]), -1)
    solved = torch.linalg.solve_triangular(triangle, right, upper=False, unitriangular=True)
    values, reads = solved.split((v.shape[-1], k.shape[-1]), -1)
    inner = (q @ k.mT * kept) * scale
    queries = q * (decay.exp() * scale)[..., None]
    last = decay[..., -1:]
    keys = (k * (last - decay).exp()[..., None]).mT
    state, out = torch.zeros(k.shape[0], k.shape[-1], v.shape[-1]), []
    for at in range(k.shape[1]):
        value = values[:, at] - reads[:, at] @ state
        out.append(queries[:, at] @ state + inner[:, at] @ value)
        state = state * last[:, at, :, None].exp() + keys[:, at] @ value
    return joined(torch.stack(out, 1))


def torch_gla(q: Tensor, k: Tensor, v: Tensor, g: Tensor) -> Tensor:
    """Gated linear attention with one gate per key dimension, chunk by chunk."""
    scale = q.shape[-1] ** -0.5
    q, k, v, g = (chunks(x) for x in (q, k, v, g))
    decay = g.cumsum(-2)
    queries = q * decay.exp() * scale
    inner = (queries @ (k * (-decay).exp()).mT).tril() @ v
    last = decay[:, :, -1]
    written = (k * (last[:, :, None] - decay).exp()).mT @ v
    factor = last.exp()[..., None]
    state, states = torch.zeros_like(written[:, 0]), []
    for at in range(k.shape[1]):
        states.append(state)
        state = state * factor[:, at] + written[:, at]
    return joined(inner + queries @ torch.stack(states, 1))


def delta_inputs(time: int, heads: int, width: int) -> list[Tensor]:
    draw = [torch.randn(1, time, heads, width) for _ in range(3)]
    q, k = (F.normalize(x, dim=-1).bfloat16() for x in draw[:2])
    g = F.logsigmoid(torch.randn(1, time, heads) + 2)
    return [q, k, draw[2].bfloat16(), g, torch.rand(1, time, heads)]


def delta_forward(device: str, time: int, heads: int, width: int) -> Case:
    inputs = delta_inputs(time, heads, width)
    there = [x.to(device) for x in inputs]

    def library() -> list[Tensor]:
        from fla.ops.gated_delta_rule import chunk_gated_delta_rule

        with torch.no_grad():
            return [chunk_gated_delta_rule(*there)[0]]

    return Case(Call(library), lambda: [torch_delta(*inputs)], 2e-2)


def with_gradients(inputs: list[Tensor], function: object, device: str) -> Call:
    """Forward and backward; the outputs are the result and every gradient."""
    leaves = [x.to(device).requires_grad_() for x in inputs]
    upstream = torch.randn(inputs[2].shape, generator=torch.Generator().manual_seed(1)).to(device)

    def run() -> list[Tensor]:
        out = function(*leaves)
        return [out.detach(), *torch.autograd.grad(out, leaves, upstream.to(out.dtype))]

    return Call(run)


def delta_backward(device: str, time: int, heads: int, width: int) -> Case:
    inputs = delta_inputs(time, heads, width)

    def library(*leaves: Tensor) -> Tensor:
        from fla.ops.gated_delta_rule import chunk_gated_delta_rule

        return chunk_gated_delta_rule(*leaves)[0]

    return Case(
        with_gradients(inputs, library, device), with_gradients(inputs, torch_delta, "cpu").function, 3e-2
    )


def gla_forward(device: str, time: int, heads: int, width: int) -> Case:
    q, k, v = (torch.randn(1, time, heads, width).bfloat16() for _ in range(3))
    inputs = [q, k, v, F.logsigmoid(torch.randn(1, time, heads, width)) / 16]
    there = [x.to(device) for x in inputs]

    def library() -> list[Tensor]:
        from fla.ops.gla import chunk_gla

        with torch.no_grad():
            return [chunk_gla(*there)[0]]

    return Case(Call(library), lambda: [torch_gla(*inputs)], 2e-2)


_SIZES = {"time": 1024, "heads": 4, "width": 128}
_TINY = {"time": 128, "heads": 1, "width": 16}
_WORDS = "chunked, batched operators in f32"
ROWS = [
    Row("GatedDeltaNet chunk forward bf16, T=1024, 4 heads of 128 (fla)", delta_forward, _SIZES, _TINY, _WORDS,
        pretends=True),
    Row("GatedDeltaNet chunk forward and backward bf16 (fla)", delta_backward, _SIZES, _TINY, _WORDS + ", autograd",
        pretends=True),
    Row("GLA chunk forward bf16, T=1024, 4 heads of 128 (fla)", gla_forward, _SIZES, _TINY, _WORDS, pretends=True),
]  # fmt: skip
