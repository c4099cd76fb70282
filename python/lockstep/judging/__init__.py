"""Does this program compute what the reference computes? `lockstep judge REF.py CANDIDATE.py`, or judge() from Python.

A verdict is *accepted*, *rejected* with a reason and a witness that replays with torch alone, or *not decided* with what would
decide it. Invariant: this process imports neither file; the reference and the candidate each run in a process of their own, and
only dtypes, shapes and bytes come back. What was not checked is in the verdict (Verdict.covered) and in docs/judge.md."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lockstep.errors import LockstepError

if TYPE_CHECKING:
    from lockstep.judging.verdict import Verdict


def judge(
    reference: str | os.PathLike[str], candidate: str | os.PathLike[str], *, seed: int | None = None, time: float = 120.0,
    torch: str = "glue", precision: str = "tf32", witnesses: str | os.PathLike[str] = "lockstep-witness",
) -> Verdict:
    """Judges a candidate (ModelNew) against a KernelBench reference (Model, get_inputs, get_init_inputs).

    seed: None draws one, which the verdict names. time: seconds for all of it. torch: what of the work torch may do: "glue"
    (allocation, views, casts, copies, reductions of partial results), "any", "none". precision: "ieee" rejects products in tf32.
    Raises JudgeError where the reference is wrong or a process cannot be started."""
    from lockstep.judging.course import Judging, Options

    options: dict[str, Any] = {"seed": seed, "time": time, "torch": torch, "precision": precision}
    return Judging(os.fspath(reference), os.fspath(candidate), Options(**options), os.fspath(witnesses)).run()


class JudgeError(LockstepError):
    """The reference is wrong, or the environment lacks something; `code`: the exit code of the command."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
