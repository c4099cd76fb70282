"""What a tensor's elements would be without rounding, as launches with the option `real` computed it (docs/judge.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

_KINDS = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"}


def real_ends(tensor: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """The ends of an interval that holds the number, for each element: nan where an op without a rule has part in it, and (inf,
    -inf) where no launch stored it or its bytes have changed since. None: a type without rounding."""
    import numpy as np

    from lockstep import _native

    kind = _KINDS.get(str(tensor.dtype).rpartition(".")[2])
    if kind is None:
        return None
    offsets = np.zeros((1,), "i8")
    strides = tensor.stride() if callable(getattr(tensor, "stride", None)) else [one // tensor.itemsize for one in tensor.strides]
    for extent, stride in zip(tensor.shape, strides, strict=True):
        offsets = (offsets[:, None] + np.arange(extent, dtype="i8")[None, :] * stride).reshape(-1)
    size = tensor.element_size() if hasattr(tensor, "element_size") else tensor.itemsize
    first = tensor.data_ptr() if hasattr(tensor, "data_ptr") else tensor.ctypes.data
    pairs = np.frombuffer(_native.real_values((first + offsets * size).astype("u8").tobytes(), kind), "f8").reshape(-1, 2)
    return pairs[:, 0].reshape(tensor.shape), pairs[:, 1].reshape(tensor.shape)


def real_values(tensor: Any) -> np.ndarray[Any, Any]:
    """The elements as f64 has them where no type rounds, of a tensor that launches with real=True stored; nan: not known.

    >>> import lockstep, numpy
    >>> lockstep.real_values(numpy.zeros(2, "f4"))
    array([nan, nan])
    """
    import numpy as np

    ends = real_ends(tensor)
    if ends is None:
        return np.asarray(tensor, "f8")
    with np.errstate(invalid="ignore"):
        return np.where(ends[0] == ends[1], ends[0], ends[0] / 2 + ends[1] / 2)
