"""Records the launches of Triton kernels while a CUDA graph is captured.

Triton asks a compiled kernel for its `run` at each launch; while recording, that answer is a wrapper that keeps the
arguments. Invariant: a launch that happened and could not be recorded (its launcher had been fetched before) is
counted, so that the graph can be refused instead of replaying too little."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class _RecordedRun:
    """Replaces `run` of compiled kernels while recording: a data descriptor, which comes before the instance's own entry."""

    def __init__(self, recorder: LaunchRecorder) -> None:
        self._recorder = recorder

    def __get__(self, kernel: Any, owner: type | None = None) -> Any:
        if kernel is None:
            return self
        kernel._init_handles()
        launch = kernel.__dict__["run"]

        def launch_and_record(*args: Any) -> None:
            launch(*args)
            self._recorder.add(lambda: launch(*args))

        return launch_and_record

    def __set__(self, kernel: Any, value: Any) -> None:
        kernel.__dict__["run"] = value


class LaunchRecorder:
    """Gives `record` a function for each launch that repeats it."""

    def __init__(self, record: Callable[[Callable[[], Any]], None]) -> None:
        self._record = record
        self._seen = 0
        self._recorded = 0
        self._kernel: Any = None
        self._plain: Any = None

    def add(self, again: Callable[[], Any]) -> None:
        self._recorded += 1
        self._record(again)

    def _see(self, report: Any) -> None:
        self._seen += 1

    def start(self) -> None:
        if "triton" not in sys.modules:
            return
        from lockstep import settings
        from lockstep.triton_backend.kernel import LockstepKernel

        settings.add_observer(self._see)
        self._kernel, self._plain = LockstepKernel, vars(LockstepKernel)["run"]
        LockstepKernel.run = _RecordedRun(self)  # type: ignore[assignment]

    def stop(self) -> int:
        """Ends recording; returns the number of launches that were not recorded."""
        if self._kernel is None:
            return 0
        from lockstep import settings

        settings.remove_observer(self._see)
        self._kernel.run = self._plain
        self._kernel = None
        return self._seen - self._recorded
