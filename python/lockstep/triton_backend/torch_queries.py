"""What torch.cuda answers in plain Python once Lockstep is Triton's default driver and torch has no usable CUDA.

Triton then says "cuda", and packages follow that to torch.cuda.get_device_name while they are imported. The functions of
the table only raise there; they answer as the modelled GPU instead. Invariants: wherever torch has a usable CUDA, real
or pretended, torch's own function answers; is_available() stays False, device_count() 0; tensors, devices, streams and
memory are not touched (that is lockstep.pretend_cuda); undo() leaves torch as it was."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from lockstep.triton_backend import device_interface

_saved: dict[str, Any] = {}


def _checked(device: Any) -> None:
    """Raises torch's own error for any device but the one GPU."""
    from torch.cuda._utils import _get_device_index

    if device is not None and _get_device_index(device) != 0:
        raise AssertionError("Invalid device id")


def _get_device_properties(device: Any = None) -> Any:
    from lockstep.pretend import cuda_api

    _checked(device)
    return cuda_api.properties()


def _get_device_name(device: Any = None) -> str:
    _checked(device)
    return device_interface.get_device_name()


def _get_device_capability(device: Any = None) -> tuple[int, int]:
    _checked(device)
    return device_interface.get_device_capability()


def _exchange_device(device: int) -> int:
    return 0 if device >= 0 else -1


# Name in torch.cuda -> its answer.
ANSWERS: dict[str, Callable[..., Any]] = {
    "get_device_properties": _get_device_properties,
    "get_device_name": _get_device_name,
    "get_device_capability": _get_device_capability,
    "current_device": device_interface.current_device,
    "set_device": _checked,
    "synchronize": device_interface.synchronize,
    "current_stream": device_interface.current_stream,
    "default_stream": device_interface.default_stream,
    "_exchange_device": _exchange_device,  # torch.cuda.device(...) as a context manager
    "_maybe_exchange_device": _exchange_device,
}


@functools.cache
def _answering(original: Any, answer: Callable[..., Any]) -> Any:
    """The same wrapper every time, so that two lookups find the same function."""

    @functools.wraps(original)
    def query(*args: Any, **options: Any) -> Any:
        import torch

        return (original if torch.cuda.is_available() else answer)(*args, **options)

    return query


def apply() -> None:
    """Lets torch.cuda answer, if torch is loaded and has no usable CUDA."""
    torch = sys.modules.get("torch")
    if torch is None or _saved or not hasattr(torch, "cuda") or torch.cuda.is_available():
        return
    for name, answer in ANSWERS.items():
        original = getattr(torch.cuda, name, None)
        if original is not None:
            _saved[name] = original
            setattr(torch.cuda, name, _answering(original, answer))


def undo() -> bool:
    """Restores torch's own functions. True if they had been replaced."""
    import torch

    was_applied = bool(_saved)
    while _saved:
        name, original = _saved.popitem()
        setattr(torch.cuda, name, original)
    return was_applied
