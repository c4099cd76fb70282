"""What judging keeps of each launch of generated code: plain data, which JSON takes."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from typing import Any

import torch


@dataclass
class Output:
    """What a launch stored for a node, compared with the node's bounds."""

    node: str
    op: str
    place: str  # "FILE:LINE" of the model; "" if unknown
    code: str
    buffer: str
    elements: int
    outside: int = 0
    worst: float = 0.0  # distance from the middle of the bounds, 1 at their end; of the farthest element
    example: str = ""  # the first element outside
    bits: str = ""  # hash of what is stored
    cannot: str = ""  # why there are no bounds
    second: str = ""  # the second opinion, of Inductor's C++ side and f64 (second.py); "" where none was asked for


@dataclass
class Launch:
    """A launch of a generated kernel, in the order of the run."""

    number: int
    kernel: str
    file: str
    graph: str
    nodes: list[str]
    places: list[str]
    outputs: list[Output] = field(default_factory=list)
    parts: int = 0  # buffers that hold no node's value: parts of a split reduction
    failed: str = ""  # what the launch raised
    reads: dict[str, str] = field(default_factory=dict)  # node that it reads -> hash of the elements

    @property
    def is_outside(self) -> bool:
        return any(one.outside for one in self.outputs)

    def data(self) -> dict[str, Any]:
        return asdict(self)


def from_data(row: dict[str, Any]) -> Launch:
    return Launch(**{**row, "outputs": [Output(**one) for one in row["outputs"]]})


def bits_of(tensor: torch.Tensor) -> str:
    """A hash of the elements in C order."""
    plain = tensor.detach().cpu().contiguous()
    plain = plain.as_strided((plain.numel(),), (1,))  # a dimension of one element may have any stride
    return hashlib.sha256(plain.view(torch.uint8).numpy().tobytes()).hexdigest()[:16]
