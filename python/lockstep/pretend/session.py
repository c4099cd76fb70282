"""One pretence in force: all patches of torch, and the function mode on every thread that starts meanwhile.

Invariant: stop() leaves torch as start() found it: attributes, mode stack of the calling thread, default device."""

from __future__ import annotations

import _thread
import contextlib
import sys
import threading
from typing import Any

import torch
from torch.overrides import _len_torch_function_stack, _pop_mode, _push_mode

from lockstep.pretend import (
    amp,
    compiling,
    cuda_api,
    devices,
    factories,
    generators,
    history,
    launching,
    operators,
    placement,
    storages,
    streams,
    tensors,
)
from lockstep.pretend.arrival import AfterImport
from lockstep.pretend.kept_memory import THE_MEMORY
from lockstep.pretend.mode import THE_MODE
from lockstep.pretend.patching import Patch, PatchSet
from lockstep.triton_backend import torch_queries

_ROOMS = (amp, storages, streams, tensors, generators, factories, devices, cuda_api, compiling, operators, history)


def _remove_mode(mode: Any) -> None:
    """Takes the mode off this thread's stack, at any depth."""
    stack = [_pop_mode() for _ in range(_len_torch_function_stack())]
    for kept in reversed([entry for entry in stack if entry is not mode]):
        _push_mode(kept)


def _tell_engine(pretending: bool) -> None:
    """Objects that are not tensors but report cuda:0 have CPU memory too."""
    try:
        from lockstep import _native
    except ImportError:
        return
    tell = getattr(_native, "set_pretended_cuda", None)
    if tell is not None:
        tell(pretending)


class Session:
    """The patches and the mode that are in force."""

    def __init__(self) -> None:
        self._patches = PatchSet()
        self._mode = THE_MODE
        self._supplies = [compiling.DeviceKernels(), operators.EarlierOperators(), storages.Files(), amp.Lists(),
                          THE_MEMORY]
        self._contexts = contextlib.ExitStack()
        self._finder = AfterImport({})
        self._had_queries = False

    def start(self) -> None:
        # torch.compile would trace into them, although it skips torch's own functions
        self._had_queries = torch_queries.undo()
        self._patches.apply(self._rows())
        for supply in self._supplies:
            supply.supply()
        _tell_engine(True)
        compiling.forget_answers()
        self._patch_compiler()
        _push_mode(self._mode)

    def _patch_compiler(self) -> None:
        """Modules of torch.compile: patched now if they are loaded, else when the program loads them."""
        actions: dict[str, Any] = {"torch._inductor.config": self._configure}
        actions["triton.runtime.jit"] = lambda module: self._patches.apply(launching.rows(module))
        for name, rows in compiling.LATE.items():
            actions[name] = lambda module, rows=rows: self._patches.apply(rows(module))
        for name in list(actions):
            if name in sys.modules:
                actions.pop(name)(sys.modules[name])
        self._finder = AfterImport(actions)
        sys.meta_path.insert(0, self._finder)

    def _configure(self, config: Any) -> None:
        self._contexts.enter_context(compiling.configuration(config))

    def stop(self) -> None:
        _remove_mode(self._mode)
        for supply in self._supplies:
            supply.remove()
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        self._contexts.close()
        if placement.process_default() is not None:
            devices.set_default_device(None)
        placement.set_cuda_type_default(False)
        self._patches.undo()
        _tell_engine(False)
        compiling.forget_answers()
        if self._had_queries:
            torch_queries.apply()

    def _rows(self) -> list[Patch]:
        rows: list[Patch] = []
        for room in _ROOMS:
            rows += room.patches()
        why = "modes belong to threads: new threads get ours, even where a subclass has its own run()"
        rows.append(Patch(threading.Thread, "_bootstrap_inner", self._thread_start(), why))
        rows.append(Patch(_thread, "start_new_thread", self._start_new_thread(), why))
        return rows

    def _thread_start(self) -> Any:
        mode, raw = self._mode, threading.Thread._bootstrap_inner  # type: ignore[attr-defined]

        def _bootstrap_inner(thread: threading.Thread) -> None:
            _push_mode(mode)
            try:
                raw(thread)
            finally:
                _remove_mode(mode)

        return _bootstrap_inner

    def _start_new_thread(self) -> Any:
        mode, raw = self._mode, _thread.start_new_thread

        def start_new_thread(function: Any, args: tuple, kwargs: Any = None) -> int:
            def run(*given: Any, **named: Any) -> None:
                _push_mode(mode)
                try:
                    function(*given, **named)
                finally:
                    _remove_mode(mode)

            return raw(run if callable(function) else function, args, {} if kwargs is None else kwargs)

        return start_new_thread


def start() -> Session:
    """Puts a session in force."""
    torch.cuda.is_available()  # torch.cuda's modules are loaded before their attributes are replaced
    session = Session()
    session.start()
    return session
