"""Inputs of the operations: shapes that CI can afford but that leave no path untouched, and random tensors of the usual
ranges.

A float64 tensor means "to be rounded to the dtype under test"; float32 ones (gates, states) are passed in float32.
Variants: plain (two whole chunks, one batch entry), ragged (length and head sizes that divide nothing, two batch
entries), grouped (more value heads than key heads), states (initial and final state), packed (several sequences in one,
with states).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

Tensor = torch.Tensor


def on_gpu(numbers: list[int]) -> Tensor:
    """Offsets as the kernels take them: int32, on the device."""
    return torch.tensor(numbers, dtype=torch.int32).cuda()


@dataclass
class Shape:
    """Sizes of one case. offsets: ends of packed sequences, starting with 0; empty for ordinary batches."""

    batch: int = 1
    time: int = 128
    heads: int = 2
    keys: int = 32
    values: int = 32
    value_heads: int = 0
    states: bool = False
    offsets: list[int] = field(default_factory=list)

    @property
    def v_heads(self) -> int:
        return self.value_heads or self.heads

    @property
    def sequences(self) -> int:
        return len(self.offsets) - 1 if self.offsets else self.batch

    @property
    def cu_seqlens(self) -> Tensor | None:
        return on_gpu(self.offsets) if self.offsets else None


def shape(variant: str) -> Shape:
    """The shape of a named variant."""
    return {
        "plain": Shape(),
        "ragged": Shape(batch=2, time=77, heads=1, keys=60, values=100),
        "grouped": Shape(time=70, heads=1, value_heads=2, keys=16, values=16, states=True),
        "states": Shape(time=100, heads=2, keys=16, values=64, states=True),
        "packed": Shape(time=150, heads=2, keys=32, values=32, states=True, offsets=[0, 15, 79, 150]),
    }[variant]


class Draw:
    """Random tensors of a shape, reproducible."""

    def __init__(self, sizes: Shape, seed: int = 42) -> None:
        self.sizes = sizes
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *dims: int, scale: float = 1.0) -> Tensor:
        return torch.randn(dims, generator=self.generator, dtype=torch.float64) * scale

    def uniform(self, *dims: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return torch.rand(dims, generator=self.generator, dtype=torch.float64) * (high - low) + low

    def keys(self, unit: bool = False, heads: int = 0) -> Tensor:
        """[batch, time, heads, keys]; unit: of length 1, as the delta rules want."""
        s = self.sizes
        tensor = self.normal(s.batch, s.time, heads or s.heads, s.keys)
        return F.normalize(tensor, dim=-1) if unit else tensor

    def values(self) -> Tensor:
        s = self.sizes
        return self.normal(s.batch, s.time, s.v_heads, s.values)

    def gate(self, *last: int, low: float = 0.5, high: float = 0.99, heads: int = 0) -> Tensor:
        """log of a decay in [low, high], [batch, time, value heads, *last], in float32."""
        s = self.sizes
        return self.uniform(s.batch, s.time, heads or s.v_heads, *last, low=low, high=high).log().float()

    def beta(self, *last: int, high: float = 1.0) -> Tensor:
        s = self.sizes
        return self.uniform(s.batch, s.time, s.v_heads, *last, high=high)

    def state(self) -> Tensor:
        """[sequences, value heads, keys, values] in float32."""
        s = self.sizes
        return self.normal(s.sequences, s.v_heads, s.keys, s.values, scale=0.5).float()

    def attention(self, unit: bool = False) -> dict[str, Tensor]:
        """q, k, v, and initial_state where the variant has states."""
        tensors = {"q": self.keys(unit), "k": self.keys(unit), "v": self.values()}
        return tensors | ({"initial_state": self.state()} if self.sizes.states else {})
