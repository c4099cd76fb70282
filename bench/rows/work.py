"""What a row of bench/compare.py is: the same work on two sides, a Triton kernel and torch's CPU operator.

A Row builds a Case (tensors and two closures) from sizes; every side builds its own from the same seed in its own
process, so inputs are equal and nothing is shared. Not here: timing (side.py) and tables (report.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

Tensor = torch.Tensor


@dataclass
class Launch:
    """One kernel on one grid. `arguments`: every parameter by name, constants too; tensors are prepared outputs."""

    kernel: Any
    grid: tuple[int, ...]
    arguments: dict[str, Any]
    outputs: list[Tensor]
    part_axis: int = 0  # of the grid: where Triton's interpreter runs only a part and is scaled
    part: int = 0  # programs along it that the interpreter runs; 0: it decides by time


@dataclass
class Call:
    """A library's function that launches several kernels; returns the outputs."""

    function: Callable[[], list[Tensor]]


@dataclass
class Case:
    """Both sides of a row at one size."""

    kernel: Launch | Call
    torch_side: Callable[[], list[Tensor]]  # returns its outputs, in the kernel's order
    tolerance: float  # largest |difference| that rounding explains, of outputs scaled to largest magnitude 1


@dataclass
class Row:
    """`build(device=..., **sizes)` makes the case; `device` is where the kernel's tensors are said to be."""

    name: str
    build: Callable[..., Case]
    sizes: dict[str, Any]
    tiny: dict[str, Any]  # the same row in a moment, for the tests
    torch_words: str  # what torch does
    in_mean: bool = True  # False: a row of its own, outside the means and limits
    pretends: bool = False  # its library insists on CUDA tensors: runs under lockstep.pretend_cuda
    interpreter: str = ""  # why Triton's interpreter is not asked; empty: it is
    tags: list[str] = field(default_factory=list)  # "memory" or "compute": which physical limit it meets
