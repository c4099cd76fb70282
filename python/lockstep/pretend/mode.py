"""The function mode: what an operation makes of host tensors alone is a host tensor.

It also translates factories that the program bound to a name before the pretence began, operators called through
torch.ops with a device, and the pretended GPU's default generator. All else about devices is in attributes of torch
(see tensors.py, factories.py), which hold without it, in every thread. torch.compile traces through it: there it does
nothing. Its cost is about one microsecond per operation of torch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch._C import _get_function_stack_at
from torch.overrides import TorchFunctionMode, _len_torch_function_stack, _pop_mode, _push_mode

from lockstep.pretend import factories, placement, uninitialised
from lockstep.pretend.generators import DefaultCudaGenerator
from lockstep.pretend.placement import HOST, MARK

_Tensor = torch.Tensor
_Results = (torch.Tensor, tuple, list)
_Size = torch.Size
_is_compiling = torch.compiler.is_dynamo_compiling
_original_of = placement.ORIGINAL_OF.get
_watched = uninitialised.WATCHED
_raw_storage = torch._C.TensorBase.untyped_storage


def all_host(values: Any) -> bool | None:
    """True: only host tensors; False: another tensor among them; None: no tensor."""
    found = None
    for value in values:
        if isinstance(value, _Tensor):
            try:
                if not getattr(_raw_storage(value), MARK):
                    return False
            except (RuntimeError, NotImplementedError, AttributeError):
                if MARK not in value.__dict__:
                    return False
            found = True
        elif isinstance(value, (tuple, list)):
            inner = all_host(value)
            if inner is False:
                return False
            found = found or inner
    return found


def _is_on_device(first: Any) -> bool:
    """Whether an operation with this first operand certainly gives no host tensor; the usual case, answered quickly."""
    if type(first) is not _Tensor:
        return False
    try:
        return not getattr(_raw_storage(first), MARK)
    except (RuntimeError, NotImplementedError, AttributeError):
        return False


def _is_operator(func: Any) -> bool:
    """One of torch's own operators, called through torch.ops."""
    name = getattr(func, "_qualified_op_name", None) or (func.name() if isinstance(func, torch._ops.OpOverload) else "")
    return name.startswith(("aten::", "prims::"))


class PretendMode(TorchFunctionMode):
    """On the mode stack of every thread that pretends."""

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        if _is_compiling():
            return func(*args, **(kwargs or {}))
        func = _original_of(func, func)
        if kwargs:
            if kwargs.get("device", HOST) is not HOST or "generator" in kwargs:
                result = self._translated(func, args, dict(kwargs))
                if func in _watched:
                    uninitialised.see(func, args, result)
                return result
            result = func(*args, **kwargs)
        else:
            result = func(*args)
        if func in _watched:
            uninitialised.see(func, args, result)
        if isinstance(result, _Results) and type(result) is not _Size and not (args and _is_on_device(args[0])):
            self._mark(func, args, kwargs, result)
        return result

    def _mark(self, func: Any, args: tuple, kwargs: dict | None, result: Any) -> None:
        host = all_host(args)
        if kwargs and host is not False:
            more = all_host(kwargs.values())
            host = more if more is not None else host
        if host is None and placement.default_device().type == "cpu":
            is_plain = not kwargs and func in factories.ORIGINALS
            host = is_plain or (_is_operator(func) and "device" not in (kwargs or ()))
        if host:
            placement.set_host(result, True)

    def _translated(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """A call with a device or a generator that bypassed Lockstep's wrappers."""
        if isinstance(kwargs.get("generator"), DefaultCudaGenerator):
            kwargs["generator"] = torch.default_generator
        device = kwargs.get("device")
        if device is None or device is HOST or placement.is_fake_mode():
            return func(*args, **kwargs)
        if isinstance(device, (str, int, torch.device)):
            wanted = placement.parse(device)
            if wanted.type in ("cuda", "cpu"):
                kwargs["device"] = HOST
                return placement.set_host(func(*args, **kwargs), wanted.type == "cpu")
        return func(*args, **kwargs)


placement.skip_mode(PretendMode)
THE_MODE = PretendMode()


@contextlib.contextmanager
def in_force() -> Iterator[None]:
    """Inside, the mode sees calls of this thread, even within a function that it already handles."""
    if any(_get_function_stack_at(place) is THE_MODE for place in range(_len_torch_function_stack())):
        yield
        return
    _push_mode(THE_MODE)
    try:
        yield
    finally:
        _pop_mode()
