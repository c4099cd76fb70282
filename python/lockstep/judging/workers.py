"""Judging many candidates at once: processes that each hold a pool of their own and take one candidate after the other."""

from __future__ import annotations

import multiprocessing
import multiprocessing.util
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from lockstep.judging import processes
from lockstep.judging.course import Judging
from lockstep.judging.verdict import Verdict

_pool: processes.Pool | None = None


def _begin() -> None:
    global _pool
    _pool = processes.Pool().__enter__()
    multiprocessing.util.Finalize(None, _pool.__exit__, exitpriority=10)  # atexit is not for processes of multiprocessing


def _judged(work: tuple[Any, ...]) -> Verdict:
    assert _pool is not None
    return Judging(*work).run(_pool)


def judged(work: Sequence[tuple[Any, ...]], workers: int) -> Iterator[Verdict]:
    """work: the arguments of Judging for each candidate. Raises JudgeError of the first that has one."""
    count = min(workers, len(work))
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin) as executor:
        yield from executor.map(_judged, work)
