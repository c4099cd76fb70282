"""The part of torch.cuda that Triton and its benchmarks use of a driver's device interface, for a torch without CUDA.

Everything a launch does is done when it returns, so streams are names, synchronize returns at once and an event is the
time of its recording. Not here: making torch itself believe in a GPU (lockstep.pretend)."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any


class Event:
    """The time at which it was recorded."""

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> None:
        self._nanoseconds: int | None = None

    def record(self, stream: Any = None) -> None:
        self._nanoseconds = time.perf_counter_ns()

    def query(self) -> bool:
        return True

    def wait(self, stream: Any = None) -> None:
        """Nothing to wait for."""

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to `end_event`, at least one nanosecond. RuntimeError if one was not recorded."""
        if self._nanoseconds is None or end_event._nanoseconds is None:
            raise RuntimeError("both events must be recorded before their time can be computed")
        return max(end_event._nanoseconds - self._nanoseconds, 1) / 1e6


class Stream:
    """The only stream."""

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        self.cuda_stream = 0
        self.device = device

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def wait_event(self, event: Event) -> None:
        """Nothing to wait for."""

    def wait_stream(self, other: Stream) -> None:
        """Nothing to wait for."""

    def record_event(self, event: Event | None = None) -> Event:
        event = event or Event()
        event.record(self)
        return event

    def query(self) -> bool:
        return True


class ExternalStream(Stream):
    """A stream by its handle."""

    def __init__(self, stream_ptr: int, device: Any = None, **_: Any) -> None:
        super().__init__(device)
        self.cuda_stream = stream_ptr


_stream = Stream()


def current_stream(device: Any = None) -> Stream:
    return _stream


def default_stream(device: Any = None) -> Stream:
    return _stream


@contextlib.contextmanager
def stream(stream: Stream | None) -> Iterator[None]:
    yield


@contextlib.contextmanager
def device(device: Any) -> Iterator[None]:
    yield


def synchronize(device: Any = None) -> None:
    """Nothing to wait for."""


def current_device() -> int:
    return 0


def device_count() -> int:
    return 1


def set_device(device: Any) -> None:
    """There is one device."""


def empty_cache() -> None:
    """Nothing is cached."""


def is_available() -> bool:
    return True


def _facts() -> Any:
    from lockstep import settings
    from lockstep.triton_backend import profiles

    return profiles.facts_of(settings.current().target)


def get_device_capability(device: Any = None) -> tuple[int, int]:
    return _facts().version


def get_device_name(device: Any = None) -> str:
    return _facts().name
