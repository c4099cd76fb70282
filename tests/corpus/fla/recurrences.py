"""Definitions of the recurrences behind the operations, one step of time after the other, in the dtype of the inputs
(float64).

State S has shape [batch, heads, keys, values]; tensors are [batch, time, heads, ...]. A step is: decay, then (delta
rules) erase and write, then read. Everything here is written from the formulas of the operations, not from any kernel.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import torch

Tensor = torch.Tensor


def heads_like(tensor: Tensor, heads: int) -> Tensor:
    """Repeat grouped heads (dimension 2) until there are `heads` of them."""
    return tensor.repeat_interleave(heads // tensor.shape[2], dim=2)


def _start(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None) -> Tensor:
    shape = (v.shape[0], v.shape[2], k.shape[-1], v.shape[-1])
    return q.new_zeros(shape) if state is None else state


def outer(left: Tensor, right: Tensor) -> Tensor:
    return left.unsqueeze(-1) * right.unsqueeze(-2)


def read(q: Tensor, state: Tensor) -> Tensor:
    """q^T S for every head."""
    return (q.unsqueeze(-1) * state).sum(-2)


def linear(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    scale: float | None = None,
    decay_k: Tensor | None = None,
    decay_v: Tensor | None = None,
    decay: Tensor | None = None,
    bonus: Tensor | None = None,
    initial_state: Tensor | None = None,
    reverse: bool = False,
) -> tuple[Tensor, Tensor]:
    """S <- exp(decay) S + k v^T, read by scale * q. Decays are logarithms: per key, per value, or per head.

    bonus [heads, keys]: the current k v^T counts bonus times in this step's output and S is read before it is written
    (RWKV6).
    """
    scale = k.shape[-1] ** -0.5 if scale is None else scale
    q, k = heads_like(q, v.shape[2]) * scale, heads_like(k, v.shape[2])
    state, outputs = _start(q, k, v, initial_state), []
    for t in sorted(range(q.shape[1]), reverse=reverse):
        kept = state
        kept = kept if decay_k is None else kept * decay_k[:, t].exp().unsqueeze(-1)
        kept = kept if decay_v is None else kept * decay_v[:, t].exp().unsqueeze(-2)
        kept = kept if decay is None else kept * decay[:, t].exp()[..., None, None]
        new = outer(k[:, t], v[:, t])
        if bonus is None:
            outputs.append(read(q[:, t], kept + new))
        else:
            outputs.append(read(q[:, t], state + bonus.unsqueeze(-1) * new))
        state = kept + new
    return torch.stack(outputs[::-1] if reverse else outputs, 1), state


def delta(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor,
    *,
    g: Tensor | None = None,
    gk: Tensor | None = None,
    gv: Tensor | None = None,
    erase: Tensor | None = None,
    erase_first: bool = False,
    scale: float | None = None,
    initial_state: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """S <- D S; S <- S + k (beta (v - e^T S))^T, with D = exp of g (per head), gk (per key), gv (per value); e = erase
    or k.

    beta: [batch, time, heads], or with a last dimension of values. erase_first: e^T S is taken before the decay.
    """
    scale = k.shape[-1] ** -0.5 if scale is None else scale
    q, k = heads_like(q, v.shape[2]) * scale, heads_like(k, v.shape[2])
    erase = k if erase is None else heads_like(erase, v.shape[2])
    beta = beta.unsqueeze(-1) if beta.ndim < v.ndim else beta
    state, outputs = _start(q, k, v, initial_state), []
    for t in range(q.shape[1]):
        before = state
        state = state if g is None else state * g[:, t].exp()[..., None, None]
        state = state if gk is None else state * gk[:, t].exp().unsqueeze(-1)
        state = state if gv is None else state * gv[:, t].exp().unsqueeze(-2)
        known = read(erase[:, t], before if erase_first else state)
        state = state + outer(k[:, t], beta[:, t] * (v[:, t] - known))
        outputs.append(read(q[:, t], state))
    return torch.stack(outputs, 1), state


def oja(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor,
    *,
    gv: Tensor | None = None,
    scale: float | None = None,
    initial_state: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """S <- S exp(gv); S <- S + (beta (k - S v)) v^T: the delta rule with keys and values exchanged."""
    scale = k.shape[-1] ** -0.5 if scale is None else scale
    q, k = heads_like(q, v.shape[2]) * scale, heads_like(k, v.shape[2])
    state, outputs = _start(q, k, v, initial_state), []
    for t in range(q.shape[1]):
        state = state if gv is None else state * gv[:, t].exp().unsqueeze(-2)
        error = k[:, t] - (state * v[:, t].unsqueeze(-2)).sum(-1)
        state = state + outer(beta[:, t].unsqueeze(-1) * error, v[:, t])
        outputs.append(read(q[:, t], state))
    return torch.stack(outputs, 1), state


def low_rank(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    a: Tensor,
    b: Tensor,
    *,
    gk: Tensor | None = None,
    scale: float | None = None,
    initial_state: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """S <- (D + b a^T) S + k v^T with D = diag(exp gk), or the identity (DPLR, IPLR, RWKV7)."""
    scale = k.shape[-1] ** -0.5 if scale is None else scale
    state, outputs = _start(q, k, v, initial_state), []
    for t in range(q.shape[1]):
        kept = state if gk is None else state * gk[:, t].exp().unsqueeze(-1)
        state = kept + outer(b[:, t], read(a[:, t], state)) + outer(k[:, t], v[:, t])
        outputs.append(read(q[:, t] * scale, state))
    return torch.stack(outputs, 1), state


def by_sequence(rule: Callable[..., tuple[Tensor, Tensor]], offsets: list[int]) -> Callable[..., tuple[Tensor, Tensor]]:
    """`rule` on each of the packed sequences [offsets[i], offsets[i + 1]) of a batch of one."""

    def run(*, initial_state: Tensor | None = None, **inputs: Tensor) -> tuple[Tensor, Tensor]:
        outputs, states = [], []
        for i, (begin, end) in enumerate(itertools.pairwise(offsets)):
            part = {name: x[:, begin:end] if x.ndim >= 3 else x for name, x in inputs.items()}
            start = None if initial_state is None else initial_state[i : i + 1]
            out, state = rule(initial_state=start, **part)
            outputs.append(out)
            states.append(state)
        return torch.cat(outputs, 1), torch.cat(states, 0)

    return run
