"""Tensors as bytes: in the processes that have torch, and in the judge, which has numpy only. Invariant: row-major elements;
bf16 and f8 travel as their bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

# : torch's name -> numpy type of the bits, type for numpy's own arithmetic (None: no float of numpy's).
_BITS = {
    "float64": "f8", "float32": "f4", "float16": "f2", "bfloat16": "u2", "int64": "i8", "int32": "i4", "int16": "i2",
    "int8": "i1", "uint8": "u1", "bool": "?",
}
FLOATS = ("float64", "float32", "float16", "bfloat16")
# : Bits of the fraction, the leading one included.
PRECISION = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
LARGEST = {"float64": 1.7976931348623157e308, "float32": 3.4028234663852886e38, "float16": 65504.0, "bfloat16": 3.3895313892515355e38}


@dataclass(frozen=True)
class Bits:
    """A tensor."""

    dtype: str  # "float32"
    shape: tuple[int, ...]
    data: bytes

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    def numbers(self) -> np.ndarray[Any, Any]:
        """As f64, or integers as they are."""
        raw = np.frombuffer(self.data, _BITS[self.dtype]).reshape(self.shape)
        if self.dtype == "bfloat16":
            return (raw.astype("u4") << 16).view("f4").astype("f8")
        with np.errstate(invalid="ignore"):  # signalling NaN
            return raw.astype("f8") if self.is_float else raw

    def with_numbers(self, numbers: np.ndarray[Any, Any]) -> Bits:
        """The same type and shape with other numbers, rounded to it."""
        if self.dtype == "bfloat16":
            wide = np.ascontiguousarray(numbers, "f4").view("u4")
            data = ((wide + 0x7FFF + ((wide >> 16) & 1)) >> 16).astype("u2")
        else:
            with np.errstate(over="ignore"):
                data = np.ascontiguousarray(numbers).astype(_BITS[self.dtype])
        return Bits(self.dtype, self.shape, data.tobytes())

    def head(self) -> dict[str, Any]:
        return {"dtype": self.dtype, "shape": list(self.shape)}


def known_dtype(name: str) -> bool:
    return name in _BITS


def from_head(head: dict[str, Any], data: bytes) -> Bits:
    """Raises ValueError for a type that is not known or a size that does not fit."""
    dtype, shape = str(head["dtype"]), tuple(int(one) for one in head["shape"])
    if dtype not in _BITS or len(data) != np.dtype(_BITS[dtype]).itemsize * int(np.prod(shape, dtype=np.int64)):
        raise ValueError("not a tensor")
    return Bits(dtype, shape, data)


def from_torch(tensor: Any) -> Bits:
    """Of a dense tensor, in the processes that have torch."""
    import torch

    dense = tensor.detach().to("cpu").contiguous()
    name = str(dense.dtype).removeprefix("torch.")
    view = dense.view(torch.int16) if dense.dtype == torch.bfloat16 else dense
    data = view.reshape(-1).numpy().tobytes() if name in _BITS else b""
    return Bits(name, tuple(dense.shape), data)


def to_torch(bits: Bits) -> Any:
    import torch

    raw = np.frombuffer(bytearray(bits.data), _BITS[bits.dtype] if bits.dtype != "bfloat16" else "i2")
    made = torch.from_numpy(raw.copy() if raw.size == 0 else raw).reshape(bits.shape)
    return made.view(torch.bfloat16) if bits.dtype == "bfloat16" else made
