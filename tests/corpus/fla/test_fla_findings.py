"""Defects of fla-core 0.5.2 that Lockstep finds. A GPU hides them: its allocator rounds sizes up, and neighbours are
rarely checked.

Each test states the kernel's line of reasoning that fails; should a later fla-core mend it, the test says so by
failing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from recurrence_check import stand_in_for_layers
from sequence_shapes import Draw, Shape, shape

Tensor = torch.Tensor
FIXED_IN = "0.5.2"


@pytest.fixture(autouse=True)
def only_this_version() -> None:
    from importlib.metadata import version

    if version("fla-core") != FIXED_IN:
        pytest.skip("another version of fla-core")


def _on_gpu(inputs: dict[str, Tensor], dtype: torch.dtype = torch.bfloat16) -> dict[str, Tensor]:
    return {name: (x.to(dtype) if x.dtype == torch.float64 else x).cuda() for name, x in inputs.items()}


def _fails(operation: Callable[[], Any], *, access: str, argument: str) -> None:
    """The first error must be an out-of-bounds `access` of `argument`."""
    import lockstep

    with pytest.raises(lockstep.KernelError) as caught:
        operation()
    text = str(caught.value)
    assert "[LS101]" in text and f"out-of-bounds {access}: {argument}[" in text, text


def _gates(name: str, draw: Draw) -> dict[str, Tensor]:
    sizes = draw.sizes
    shared = draw.attention(unit=True)
    if name == "gdn2":
        return shared | {"g": draw.gate(sizes.keys), "b": draw.beta(sizes.keys), "w": draw.beta(sizes.values)}
    return shared | {"beta": draw.beta(), ("gk" if name == "gated_delta_rule" else "g"): draw.gate(sizes.keys)}


@pytest.mark.parametrize("name", ["gated_delta_rule", "kda", "gdn2"])
def test_gates_are_loaded_without_a_mask(name: str) -> None:
    """Head sizes that are no power of two are masked everywhere, except in the loads of the gates."""
    operation = getattr(importlib.import_module(f"fla.ops.{name}"), f"fused_recurrent_{name}")
    inputs = _on_gpu(_gates(name, Draw(shape("ragged"))))
    _fails(partial(operation, **inputs), access="read", argument="gk" if name == "gated_delta_rule" else "g")


def test_final_states_of_packed_sequences_do_not_fit() -> None:
    """fused_recurrent_iplr allocates the final state of one sequence; the kernel stores one for each of them."""
    from fla.ops.generalized_delta_rule import fused_recurrent_iplr_delta_rule

    sizes = shape("packed")
    draw = Draw(sizes)
    inputs = _on_gpu(draw.attention(unit=True) | {"a": -draw.keys(unit=True), "b": draw.keys(unit=True)})
    _fails(
        lambda: fused_recurrent_iplr_delta_rule(**inputs, cu_seqlens=sizes.cu_seqlens, output_final_state=True),
        access="write",
        argument="ht",
    )


def test_levels_past_the_end_of_the_sequence() -> None:
    """chunk_log_linear_attn masks level_scales by causality only: with 100 steps the second chunk reads 28 rows too
    many.
    """
    from fla.ops.log_linear_attn import chunk_log_linear_attn

    draw = Draw(Shape(time=100, keys=64, values=64))
    inputs = _on_gpu(
        {
            "q": draw.keys(heads=1),
            "k": draw.keys(heads=1),
            "v": draw.values(),
            "g": draw.gate(),
            "level_scales": draw.uniform(1, 100, 2, 8),
        }
    )
    _fails(lambda: chunk_log_linear_attn(**inputs), access="read", argument="level_scales")


def test_deltaformer_backward_reads_whole_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backward kernel reads u in whole blocks whatever the length."""
    stand_in_for_layers(monkeypatch)
    from fla.ops.deltaformer.parallel import ParallelDeltaformerFunction

    draw = Draw(Shape(time=77))
    inputs = _on_gpu({"q": draw.keys(), "k": draw.keys(), "v": draw.values(), "beta": draw.beta()})
    leaves = [x.requires_grad_() for x in inputs.values()]
    out = ParallelDeltaformerFunction.apply(*leaves, 64, None)
    _fails(lambda: out.backward(torch.ones_like(out)), access="read", argument="u_ptr")


def test_squared_relu_writes_past_its_output() -> None:
    """Blocks of 4096 without a mask: tensors of any other size are read and written beyond their end."""
    from fla.ops.rwkv7.channel_mixing import rwkv_relu_and_square_fwd

    x = torch.randn(33, 64).cuda()
    _fails(lambda: rwkv_relu_and_square_fwd(x, inplace=False), access="read", argument="in_ptr")


def test_rwkv4_backward_reads_behind_its_slice() -> None:
    """The backward kernel is given all but the last state, and starts at the last: outside the view, if inside the storage."""
    import lockstep
    from fla.ops.rwkv4 import fused_recurrent_rwkv4

    draw = Draw(Shape())
    inputs = _on_gpu(
        {"w": draw.normal(48), "u": draw.normal(48), "k": draw.normal(2, 30, 48), "v": draw.normal(2, 30, 48)}
    )
    leaves = {name: x.requires_grad_() for name, x in inputs.items()}
    state = torch.zeros(2, 3, 1, 48, dtype=torch.bfloat16).cuda()
    with lockstep.options(bounds="view"):
        out = fused_recurrent_rwkv4(**leaves, state=state)[0]
        with pytest.raises(lockstep.KernelError, match=r"state_ptr.*LS102"):
            out.backward(torch.ones_like(out))
