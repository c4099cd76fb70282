"""Host tensors that are made past the function mode: what they become stays on the host.

The mode (mode.py) sees calls of torch's functions. It does not see what C++ code hands to hooks and to backward
functions, what vmap and grad unwrap, what TorchScript returns and what a tensor class makes when it is called. Here each
of these carries the mark of host memory on. Invariant: a result is marked only where all that it was made of is in host
memory, or where torch on a machine with a GPU would have made it there."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch.autograd import function as autograd_function

from lockstep.pretend import factories, placement, releases
from lockstep.pretend.mode import all_host, in_force
from lockstep.pretend.patching import Patch
from lockstep.pretend.placement import HOST

_IS_HOST = "_lockstep_is_host"  # on a backward function's context: its outputs, and so their gradients, are on the host


def _tensors(values: Any) -> list[torch.Tensor]:
    return [value for value in values if isinstance(value, torch.Tensor)] if isinstance(values, (tuple, list)) else [values]


def _apply(raw: Any) -> classmethod:
    """Function.apply: notes for backward where its outputs are."""
    function = releases.plain_function(raw)

    @functools.wraps(function)
    def apply(cls: type, *args: Any, **kwargs: Any) -> Any:
        results = function(cls, *args, **kwargs)
        for result in _tensors(results):
            context = getattr(result, "grad_fn", None)
            if isinstance(context, autograd_function.BackwardCFunction) and placement.is_host(result):
                setattr(context, _IS_HOST, True)
        return results

    return classmethod(apply)


def _backward(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def apply(self: Any, *gradients: Any) -> Any:
        if getattr(self, _IS_HOST, False):
            for gradient in gradients:
                placement.set_host(gradient, True)
        with in_force():  # the engine may have been called from within a function that the mode saw
            return raw(self, *gradients)

    return apply


def _register_hook(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def register_hook(self: torch.Tensor, hook: Callable[..., Any]) -> Any:
        if not callable(hook) or torch.compiler.is_dynamo_compiling():
            return raw(self, hook)
        host = placement.is_host(self)

        @functools.wraps(hook)
        def where_it_is(gradient: Any) -> Any:
            with in_force():
                return hook(placement.set_host(gradient, True) if host else gradient)

        return raw(self, where_it_is)

    return register_hook


def _carrying(raw: Callable[..., Any]) -> Callable[..., Any]:
    """A function of functorch that wraps or unwraps its first argument."""

    @functools.wraps(raw)
    def carried(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        result = raw(tensor, *args, **kwargs)
        if result is not tensor and isinstance(tensor, torch.Tensor) and placement.is_host(tensor):
            placement.set_host(result, True)
        return result

    factories.WRAPPED[carried] = raw
    return carried


def _functorch_rows() -> list[Patch]:
    rows = []
    for module in ("vmap", "eager_transforms", "autograd_function"):
        owner = sys.modules.get(f"torch._functorch.{module}")
        for name in ("_add_batch_dim", "_remove_batch_dim", "_wrap_for_grad", "_unwrap_for_grad"):
            raw = getattr(owner, name, None)
            if raw is not None:
                rows.append(Patch(owner, name, _carrying(raw), "wrappers have no storage to mark"))
    return rows


def _script_call(raw: Any) -> Callable[..., Any]:
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = raw(self, *args, **kwargs)
        given = (*args, *kwargs.values(), *_state_of(self))
        if isinstance(result, (torch.Tensor, tuple, list)) and all_host(given) is not False:
            _mark_deep(result, placement.default_device().type == "cpu" or all_host(given) is True)
        return result

    return __call__


def _state_of(script: Any) -> tuple[torch.Tensor, ...]:
    """Parameters and buffers of a scripted method's module."""
    owner = getattr(script, "owner", None)
    if not callable(owner):
        return ()
    try:
        module = torch.jit._recursive.wrap_cpp_module(owner())
        return (*module.parameters(), *module.buffers())
    except (RuntimeError, AttributeError):
        return ()


def _mark_deep(value: Any, host: bool) -> None:
    if isinstance(value, (tuple, list)):
        for item in value:
            _mark_deep(item, host)
    elif isinstance(value, torch.Tensor) and host:
        placement.set_host(value, True)


def _nested(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def nested(parts: Any, *args: Any, **kwargs: Any) -> Any:
        given = kwargs.get("device")
        sources = [part for part in parts if isinstance(part, torch.Tensor)] if isinstance(parts, (list, tuple)) else [parts]
        device = placement.parse(given) if given is not None else next(
            (part.device for part in sources if isinstance(part, torch.Tensor)), placement.default_device())  # fmt: skip
        if device.type not in ("cpu", "cuda") or placement.is_fake_mode():
            return raw(parts, *args, **kwargs)
        if given is not None:
            kwargs["device"] = HOST
        result = raw(parts, *args, **kwargs)
        for made in (result, getattr(result, "_values", None)):
            placement.set_host(made, device.type == "cpu")
        return result

    return nested


def _from_dlpack(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def from_dlpack(source: Any, *args: Any, **kwargs: Any) -> torch.Tensor:
        result = raw(source, *args, **kwargs)
        if isinstance(source, torch.Tensor):
            return placement.set_host(result, placement.is_host(source))
        says = getattr(source, "__dlpack_device__", None)
        is_of_cpu = callable(says) and int(says()[0]) == int(torch.utils.dlpack.DLDeviceType.kDLCPU)
        return placement.set_host(result, True) if is_of_cpu else result

    return from_dlpack


def _constructed(self: torch.Tensor, *args: Any, **kwargs: Any) -> None:
    """torch.Tensor(...): the default tensor type's memory, on any default device. Not for subclasses."""
    if type(self) is torch.Tensor and not placement.is_cuda_type_default() and not placement.is_fake_mode():
        source = args[0] if args else None
        if not isinstance(source, (torch.Tensor, torch.UntypedStorage, torch.TypedStorage)):
            placement.set_host(self, True)


def patches() -> list[Patch]:
    """Rows for autograd, functorch, TorchScript, nested tensors, DLPack and torch.Tensor(...)."""
    autograd = "the engine's gradients of host tensors reach Python past the mode"
    backward = autograd_function.BackwardCFunction
    functions = autograd_function.Function
    rows = [Patch(functions, "apply", _apply(vars(functions)["apply"]), autograd)]
    rows += [Patch(backward, name, _backward(vars(backward)[name]), autograd)
             for name in ("apply",) if name in vars(backward)]  # fmt: skip
    rows.append(Patch(torch.Tensor, "register_hook", _register_hook(torch.Tensor.register_hook), autograd))
    rows += _functorch_rows()
    rows += [Patch(kind, "__call__", _script_call(kind.__call__), "TorchScript ignores function modes")
             for kind in (torch._C.ScriptFunction, torch._C.ScriptMethod)]  # fmt: skip
    rows += [Patch(torch.nested, name, _nested(getattr(torch.nested, name)), "nested tensors are made in C++")
             for name in ("nested_tensor", "as_nested_tensor")]  # fmt: skip
    rows += [Patch(owner, "from_dlpack", _from_dlpack(torch.from_dlpack), "memory of the program is host memory")
             for owner in (torch, torch.utils.dlpack)]  # fmt: skip
    rows.append(Patch(torch.Tensor, "__init__", _constructed, "torch.Tensor(...) does not call a function"))
    return rows
