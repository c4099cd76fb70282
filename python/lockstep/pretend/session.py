"""One pretence in force: all patches of torch, and the function mode on every thread that starts meanwhile.

Invariant: stop() leaves torch as start() found it: attributes, mode stack of the calling thread, default device."""

from __future__ import annotations

import threading
from typing import Any

import torch
from torch.overrides import _len_torch_function_stack, _pop_mode, _push_mode

from lockstep.pretend import cuda_api, devices, factories, generators, placement, tensors
from lockstep.pretend.mode import PretendMode
from lockstep.pretend.patching import Patch, PatchSet

_raw_run = threading.Thread.run


def _remove_mode(mode: Any) -> None:
    """Takes the mode off this thread's stack, wherever it lies."""
    stack = [_pop_mode() for _ in range(_len_torch_function_stack())]
    for kept in reversed([entry for entry in stack if entry is not mode]):
        _push_mode(kept)


class Session:
    """The patches and the mode that are in force."""

    def __init__(self) -> None:
        self._patches = PatchSet()
        self._mode = PretendMode()

    def start(self) -> None:
        self._patches.apply(self._rows())
        _push_mode(self._mode)

    def stop(self) -> None:
        _remove_mode(self._mode)
        if placement.process_default() is not None:
            devices.set_default_device(None)
        self._patches.undo()

    def _rows(self) -> list[Patch]:
        rows: list[Patch] = []
        for room in (tensors, generators, factories, devices, cuda_api):
            rows += room.patches()
        rows.append(Patch(threading.Thread, "run", self._thread_run(), "modes belong to threads: new ones get ours"))
        return rows

    def _thread_run(self) -> Any:
        mode = self._mode

        def run(thread: threading.Thread) -> None:
            _push_mode(mode)
            try:
                _raw_run(thread)
            finally:
                _remove_mode(mode)

        return run


def start() -> Session:
    """Puts a session in force."""
    torch.cuda.is_available()  # torch.cuda's modules are loaded before their attributes are replaced
    session = Session()
    session.start()
    return session
