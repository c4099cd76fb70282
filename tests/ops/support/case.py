"""What one test of an op is: a kernel's text, its arguments, what it must give and how near.

A file tests/ops/<dialect>_<op>.py defines `cases()`, which yields these. Inputs must not change between runs or NumPy
versions (take them from support.values), because the GPU's recorded answers are kept by the hash of text and inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from support import elements


@dataclass
class In:
    """A tensor that the kernel reads. The file's type is the parameter's, so bool arrays may stand for *i8."""

    array: np.ndarray


@dataclass
class Out:
    """A tensor that the kernel writes. `init`: an array or a number; without it every byte is 0xA5 (bool: false)."""

    shape: tuple[int, ...]
    dtype: Any  # a TTIR name or a NumPy type
    init: Any = None

    def initial(self) -> np.ndarray:
        dtype = elements.dtype_of(self.dtype)
        shape = (self.shape,) if isinstance(self.shape, int) else tuple(self.shape)
        if self.init is not None:
            return np.broadcast_to(np.asarray(self.init).astype(dtype), shape).copy()
        if dtype == np.bool_:
            return np.zeros(shape, dtype)
        return np.full(int(np.prod(shape)) * dtype.itemsize, 0xA5, np.uint8).view(dtype).reshape(shape)


@dataclass
class InOut:
    """A tensor that the kernel reads and writes."""

    array: np.ndarray


@dataclass
class Scalar:
    """A scalar parameter: a Python number, or a NumPy value whose bits are passed to the GPU."""

    value: Any


@dataclass(frozen=True)
class Exact:
    """The same bits; any NaN for a NaN."""


@dataclass(frozen=True)
class Ulp:
    """At most `most` units in the last place of the result's type from the reference (a wider reference: from its value)."""

    most: float


#: (outputs, expected, inputs) -> what is wrong, or None.
Checker = Callable[[list, list, list], "str | None"]


@dataclass
class Case:
    """`reference(inputs)` takes the arrays of In and InOut and the values of scalars, in order, and returns the arrays of Out
    and InOut, in order (one array alone need not be in a list). None: only the GPU's recorded answer is compared.
    `bound` None: what the op's row says. `gpu`: True, or why the GPU is not asked. `gpu_bound`: for the recorded answer, else
    the row's two bounds added up (or `bound` where it is a checker)."""

    name: str
    ttir: str
    arguments: list
    grid: tuple[int, ...] = (1, 1, 1)
    reference: Callable | None = None
    bound: Exact | Ulp | Checker | None = None
    gpu: bool | str = True
    gpu_bound: Exact | Ulp | Checker | None = None
    num_warps: int = 4
    target: str = "sm_90"
    exit_code: int = 0
    options: list[str] = field(default_factory=list)  # further words for `lockstep run`
    output: Callable[[str], "str | None"] | None = None  # checks what the command printed (both streams)

    def __post_init__(self):
        self.arguments = [a if isinstance(a, (In, Out, InOut, Scalar)) else Scalar(a) for a in self.arguments]
        self.grid = tuple(self.grid) if isinstance(self.grid, (tuple, list)) else (self.grid,)
        self.grid = (*self.grid, 1, 1)[:3]

    def inputs(self) -> list:
        """What the reference gets."""
        values = []
        for argument in self.arguments:
            if isinstance(argument, (In, InOut)):
                values.append(argument.array)
            elif isinstance(argument, Scalar):
                values.append(argument.value)
        return values

    def results(self) -> list[int]:
        """Positions of the arguments that come back."""
        return [i for i, a in enumerate(self.arguments) if isinstance(a, (Out, InOut))]

    def expected(self) -> list[np.ndarray] | None:
        """The reference's arrays, in the shape of the arguments; None without a reference."""
        if self.reference is None:
            return None
        with np.errstate(all="ignore"):
            given = self.reference([np.copy(v) if isinstance(v, np.ndarray) else v for v in self.inputs()])
        arrays = list(given) if isinstance(given, (list, tuple)) else [given]
        places = self.results()
        assert len(arrays) == len(places), f"{self.name}: the reference gives {len(arrays)} arrays for {len(places)} outputs"
        return [in_form_of(initial_of(self.arguments[i]), np.asarray(array)) for array, i in zip(arrays, places)]


def in_form_of(like: np.ndarray, array: np.ndarray) -> np.ndarray:
    """In the shape of the argument; integers of its size may be of the other sign."""
    array = array.reshape(like.shape)
    both_integers = array.dtype.kind in "iu" and like.dtype.kind in "iu" and array.dtype.itemsize == like.dtype.itemsize
    return np.ascontiguousarray(array).view(like.dtype) if both_integers else array


def initial_of(argument) -> np.ndarray:
    """The bytes of a tensor argument before the launch."""
    return argument.initial() if isinstance(argument, Out) else argument.array
