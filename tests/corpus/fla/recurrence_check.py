"""The common test of a recurrence: an operation of fla on one variant against its definition in recurrences.py."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from recorder import Recorder
from recurrences import by_sequence
from sequence_shapes import Shape

from compare import agree

GATES = ("g", "gk", "gv", "w", "A_log", "dt_bias")  # logarithmic gates of all operations, and what they are made of


def check_recurrence(
    corpus: Recorder,
    sizes: Shape,
    operation: Callable[..., Any],
    rule: Callable[..., Any],
    inputs: dict[str, torch.Tensor],
    dtype: torch.dtype,
    *,
    roundings: int,
    fixed: Sequence[str] = (),
    backward: bool = True,
    dots: bool = True,
    leading: int | None = None,
    tf32: bool = False,
    **options: Any,
) -> None:
    """`operation(**inputs, **options)` (asked for its final state where the variant has states) against
    `rule(**inputs)`.
    """
    reference = by_sequence(rule, sizes.offsets) if sizes.offsets else rule
    if sizes.states:
        options["output_final_state"] = True
    if sizes.offsets:
        options["cu_seqlens"] = sizes.cu_seqlens

    def run(**tensors: torch.Tensor) -> Any:
        return operation(**tensors, **options)

    def expected(**tensors: torch.Tensor) -> Any:
        out, state = reference(**tensors)
        return (out, state) if sizes.states else (out,)

    agree(
        corpus,
        run,
        expected,
        inputs,
        dtype,
        roundings=roundings,
        fixed=fixed,
        backward=backward,
        dots=dots,
        leading=leading,
        tf32=tf32,
        cancelling=GATES,
    )


def gated_backward_is_allowed() -> bool:
    """fla refuses the gated chunk_bwd_dqkwg on Hopper with Triton 3.4 to 3.7.0: there, only the forward pass can be
    asked for.
    """
    import triton

    version = tuple(int(part) for part in triton.__version__.split(".")[:3])
    return torch.cuda.get_device_capability()[0] != 9 or version >= (3, 7, 1)


def stand_in_for_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """fla.layers belongs to another package; fla.ops.deltaformer imports padding helpers from it that these tests do
    not need.
    """
    for name in ("fla.layers", "fla.layers.utils"):
        if name not in sys.modules:
            monkeypatch.setitem(sys.modules, name, types.SimpleNamespace(__path__=[], pad_input=None, unpad_input=None))
