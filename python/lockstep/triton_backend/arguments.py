"""Arguments that Triton does not know: NumPy arrays, DLPack and __array_interface__ objects, also inside tuples.

Triton specialises a kernel for each argument's type and alignment, and raises TypeError for other objects. Lockstep's
driver tries the specialisation again with such arrays as tensors; the launch gets the object itself.
Invariant: arguments that Triton takes are specialised by Triton, at its own speed, and what neither side knows raises
Triton's TypeError. NumPy scalars are not arrays: Triton and Lockstep refuse them."""

from __future__ import annotations

import sys
import types
from typing import Any

from lockstep.triton_backend import versions


class ShownAsTensor:
    """The facts that Triton reads of a tensor: dtype by its name, data_ptr()."""

    def __init__(self, dtype: Any, address: int) -> None:
        self.dtype = dtype
        self._address = address

    def data_ptr(self) -> int:
        return self._address


def shown(argument: Any) -> Any:
    """The argument in a form that Triton can specialise; unchanged where Lockstep knows nothing better."""
    if isinstance(argument, tuple):
        items = [shown(item) for item in argument]
        return type(argument)(*items) if hasattr(argument, "_fields") else tuple(items)
    if hasattr(argument, "data_ptr"):
        return argument
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(argument, numpy.generic):
        return argument
    if hasattr(argument, "__array_interface__"):
        import numpy as np

        array = np.asarray(argument)
        return ShownAsTensor(array.dtype, array.__array_interface__["data"][0])
    if hasattr(argument, "__dlpack__"):
        from lockstep import _native

        return ShownAsTensor(*_native.describe_dlpack(argument))
    return argument


def binder_with_arrays(binder: Any) -> Any:
    """Triton's function that binds and specialises arguments, extended to arrays of every kind."""
    if not isinstance(binder, types.FunctionType) or "specialize_impl" not in binder.__globals__:
        return binder
    native = binder.__globals__["specialize_impl"]
    names = {**binder.__globals__, "specialize_impl": versions.specialising(native, shown)}
    patient = types.FunctionType(binder.__code__, names, binder.__name__, binder.__defaults__, binder.__closure__)
    patient.__kwdefaults__ = binder.__kwdefaults__

    def bind(*args: Any, **options: Any) -> Any:
        try:
            return binder(*args, **options)
        except TypeError:
            return patient(*args, **options)

    return bind
