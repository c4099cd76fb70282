"""Capsules of a candidate's launches, for engine.replay: of all calls of a judgement, as the candidate's process makes them. A
process of candidates has one recorder from its zygote on, because launchers that a program keeps (Inductor's) pass no later one.
Invariant: what is over the limits is launched all the same, and counted in `launches`."""

from __future__ import annotations

import os
from typing import Any

import lockstep
from lockstep.judging.engine import FOLDER, MOST_BYTES, MOST_CAPSULES, MOST_IN_ALL


class Capsules(lockstep.record):
    """Records while `is_on`."""

    is_packed = False

    def __init__(self) -> None:
        super().__init__(FOLDER, limit=MOST_CAPSULES, max_bytes=MOST_BYTES // 2)
        self.is_on = False
        self._left = MOST_IN_ALL

    def begin(self) -> None:
        """In the process of a candidate: records into its folder."""
        self.path = os.path.join(os.getcwd(), FOLDER)
        os.makedirs(self.path, exist_ok=True)
        self.written, self.launches = [], 0
        self.skipped.clear()

    def wants(self, kernel: Any) -> bool:
        return self.is_on and super().wants(kernel)

    def admit(self, size: int) -> None:
        super().admit(size)
        self._left -= 2 * size
        if self._left < 0:
            raise lockstep.recorded_arguments.CannotRecord("the capsules of one judgement would be too large")


recorder = Capsules()
