"""One generated launch: the text of a kernel, its arguments, and what an independent reference says that it stores.

A `Case` writes its kernel itself: one parameter per argument and result, in that order. References are functions, so
that a case which is not run costs nothing. `tile` and `load` give the text that addresses a block of a shape in
row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scalar_types import TYPES


@dataclass
class Data:
    """A tensor argument. `constant` ones are not written."""

    type: str
    values: np.ndarray


@dataclass
class Result:
    """A tensor that the kernel writes. `ulps` of its own type may lie between, or the bound that the reference
    gives."""

    type: str
    shape: tuple[int, ...]
    ulps: float = 0.0
    fill: int = 0


@dataclass
class Case:
    family: str
    name: str
    body: Sequence[str]  # lines of the kernel
    arguments: dict[str, Any]  # Data, or a number, bool or None
    results: dict[str, Result]
    reference: Callable[[], dict[str, Any]]  # by result: values, or (values, absolute bound)
    constants: dict[str, Any] = field(default_factory=dict)  # tl.constexpr parameters
    grid: tuple[int, ...] = (1,)
    options: dict[str, Any] = field(default_factory=dict)
    helpers: str = ""  # text before the kernel

    @property
    def text(self) -> str:
        parameters = [*self.arguments, *self.results, *(f"{name}: tl.constexpr" for name in self.constants)]
        lines = [
            "import triton",
            "import triton.language as tl",
            "from triton.language.extra import libdevice",
            "",
            self.helpers,
        ]
        lines += ["@triton.jit", f"def kernel({', '.join(parameters)}):", *(f"    {line}" for line in self.body)]
        return "\n".join(lines) + "\n"


def tile(shape: Sequence[int]) -> str:
    """Offsets of a contiguous block; "0" for a scalar."""
    terms, stride = [], int(np.prod(shape, dtype=int))
    for axis, extent in enumerate(shape):
        stride //= extent
        where = ", ".join(":" if i == axis else "None" for i in range(len(shape)))
        index = f"tl.arange(0, {extent})" + (f"[{where}]" if len(shape) > 1 else "")
        terms.append(index if stride == 1 else f"{index} * {stride}")
    return " + ".join(terms) if terms else "0"


def load(name: str, shape: Sequence[int]) -> str:
    return f"tl.load({name} + {tile(shape)})" if shape else f"tl.load({name})"


def store(name: str, shape: Sequence[int], value: str) -> str:
    return f"tl.store({name} + {tile(shape)}, {value})" if shape else f"tl.store({name}, {value})"


def typed(value: str, name: str) -> str:
    """Asserts, when Triton compiles, that a value has a type."""
    return f"tl.static_assert({value}.dtype == tl.{TYPES[name].triton})"


def simple(
    family: str,
    name: str,
    operands: dict[str, Data],
    expression: str,
    type_: str,
    shape: tuple[int, ...],
    reference,
    ulps=0.0,
    **more,
) -> Case:
    """The value of one expression of loaded blocks; each operand `x` is loaded into `x_`."""
    body = [f"{each}_ = {load(each, data.values.shape)}" for each, data in operands.items() if isinstance(data, Data)]
    body += [f"r = {expression}", typed("r", type_), store("out", shape, "r")]
    return Case(family, name, body, operands, {"out": Result(type_, shape, ulps)}, lambda: {"out": reference()}, **more)
