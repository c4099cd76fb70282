"""Streams and events of the pretended GPU. Everything runs when it is called, so a stream never has work left.

Events measure real CPU time. Invariant: the default stream is 0 and each Stream() has a number of its own, so that
programs which compare or key by streams behave as on a GPU. Handles are numbers, not pointers: no CUDA library may be
given one."""

from __future__ import annotations

import itertools
import threading
import time
from typing import TYPE_CHECKING, Any

import torch

from lockstep.pretend import placement
from lockstep.pretend.patching import Patch

if TYPE_CHECKING:
    from typing_extensions import Self

_CUDA_TYPE = 1  # c10::DeviceType::CUDA
_numbers = itertools.count(1)
_thread = threading.local()


def current_id() -> int:
    return getattr(_thread, "stream", 0)


def set_current(stream_id: int) -> None:
    _thread.stream = stream_id


class Stream:
    """torch.cuda.Stream of the pretended GPU."""

    def __init__(self, device: Any = None, priority: int = 0, *, stream_id: int | None = None,
                 device_index: int = 0, device_type: int = _CUDA_TYPE) -> None:  # fmt: skip
        if device is not None and (not isinstance(device, int) or device >= 0):
            placement.parse(device)
        self.stream_id = next(_numbers) if stream_id is None else stream_id
        self.cuda_stream = self.stream_id
        self.priority = max(-5, min(0, priority))
        self.device_index, self.device_type = device_index, device_type
        self._outer: list[int] = []

    @property
    def device(self) -> torch.device:
        return placement.CUDA

    @property
    def _as_parameter_(self) -> Any:
        import ctypes

        return ctypes.c_void_p(self.cuda_stream)

    @property
    def native_handle(self) -> int:
        return self.cuda_stream

    @staticmethod
    def priority_range() -> tuple[int, int]:
        return (0, -5)

    def wait_event(self, event: Any) -> None:
        """Returns at once: the event's work is done."""

    def wait_stream(self, stream: Any) -> None:
        """Returns at once: the stream's work is done."""

    def record_event(self, event: Any = None) -> Any:
        event = Event() if event is None else event
        event.record(self)
        return event

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        """All work is done when its call returns."""

    def is_capturing(self) -> bool:
        return torch.cuda.is_current_stream_capturing()

    def __enter__(self) -> Self:
        self._outer.append(current_id())
        set_current(self.stream_id)
        return self

    def __exit__(self, *exception: object) -> None:
        set_current(self._outer.pop())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.stream_id == self.stream_id

    def __hash__(self) -> int:
        return hash((self.cuda_stream, "cuda:0"))

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device=cuda:0 cuda_stream={self.cuda_stream:#x}>"

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.cuda_stream)


class _AnyStreamMeta(type):
    """torch.Stream and torch.Event: make objects of torch's C classes, or of ours where the device is cuda.

    Ours are not instances of them: torch.compile would take them for streams that its own C code knows."""

    raw: type
    ours: type

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.raw)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.raw)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        device = kwargs.get("device", args[0] if args and isinstance(args[0], (str, torch.device)) else "cuda")
        if placement.parse(device).type != "cuda":
            return cls.raw(*args, **kwargs)
        return cls.ours(**{name: value for name, value in kwargs.items() if name != "device"})


def patches() -> list[Patch]:
    why = "torch.Stream(device='cuda') and torch.Event(device='cuda')"
    kinds = {name: (getattr(torch, name), ours) for name, ours in (("Stream", Stream), ("Event", Event))
             if hasattr(torch, name)}  # fmt: skip
    return [Patch(torch, name, _AnyStreamMeta(name, (), {"raw": raw, "ours": ours, "__module__": "torch"}), why)
            for name, (raw, ours) in kinds.items()]  # fmt: skip


class ExternalStream(Stream):
    """A stream by its number."""

    def __init__(self, stream_ptr: int, device: Any = None, **unused: Any) -> None:
        super().__init__(device, stream_id=stream_ptr)


class Event:
    """torch.cuda.Event: the CPU time at which it was recorded."""

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False,
                 external: bool = False, *, device: Any = None) -> None:  # fmt: skip
        if interprocess:
            raise RuntimeError("torch.cuda.Event(interprocess=True): CUDA IPC is not supported under pretend_cuda()")
        self.enable_timing = enable_timing
        self._time: float | None = None

    @property
    def device(self) -> torch.device | None:
        return placement.CUDA if self._time is not None else None

    @property
    def cuda_event(self) -> int:
        return id(self) if self._time is not None else 0

    event_id = cuda_event

    def record(self, stream: Any = None) -> None:
        self._time = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        """Nothing to wait for."""

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        """The event's work is done."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds of CPU time between the two records."""
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._time is None or end_event._time is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._time - self._time) * 1e3

    def ipc_handle(self) -> bytes:
        raise RuntimeError("torch.cuda.Event.ipc_handle: CUDA IPC is not supported under pretend_cuda()")

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: Any) -> Event:
        raise RuntimeError("torch.cuda.Event.from_ipc_handle: CUDA IPC is not supported under pretend_cuda()")

    def __repr__(self) -> str:
        return "<torch.cuda.Event uninitialized>" if self._time is None else f"<torch.cuda.Event {id(self):#x}>"
