"""Does this program compute what the reference computes? `lockstep judge REF.py CANDIDATE.py`, or judge() from Python.

A verdict is *accepted*, *rejected* with a reason and a witness that replays with torch alone, or *not decided* with what would
decide it. Invariant: this process imports neither file; the reference and the candidate each run in a process of their own, and
only dtypes, shapes and bytes come back. What was not checked is in the verdict (Verdict.covered) and in docs/judge.md."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

from lockstep.errors import LockstepError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lockstep.judging.processes import Pool
    from lockstep.judging.verdict import Verdict


def judge(
    reference: str | os.PathLike[str], candidate: str | os.PathLike[str], *, seed: int | None = None, time: float = 120.0,
    torch: str = "glue", precision: str = "tf32", shapes: str = "family", layouts: str = "asked", assume: Iterable[str] = (),
    isolation: str = "auto", inputs: str | None = None, witnesses: str | os.PathLike[str] = "lockstep-witness",
) -> Verdict:
    """Judges a candidate against a reference: a KernelBench pair (Model, get_inputs, get_init_inputs; ModelNew), two functions
    ("ref.py::f", "cand.py::g", inputs="inputs.py::make"), or a folder of GPU MODE and a file with custom_kernel.

    seed: None draws one, which the verdict names. time: seconds for all of it. torch: what of the work torch may do: "glue"
    (allocation, views, casts, copies, reductions of partial results), "any". precision: "ieee" rejects products in tf32. shapes:
    "given" takes the task's sizes alone. layouts: "given" takes contiguous inputs alone; where a result is wrong for others, "note"
    notes it, "strict" rejects it, and "asked" rejects it where the program asks for every stride that differs. assume: invariants of inputs that hold, as a verdict names them ("0=evenly spaced").
    isolation: "strict" refuses where the system lacks a part of it. Raises JudgeError where the reference is wrong or a process
    cannot be started."""
    named = {"seed": seed, "time": time, "torch": torch, "precision": precision, "shapes": shapes, "layouts": layouts,
             "assume": tuple(assume), "isolation": isolation}
    (verdict,) = judge_many(reference, [os.fspath(candidate)], inputs=inputs, witnesses=witnesses, **named)
    return verdict


def judge_many(
    reference: str | os.PathLike[str], candidates: Iterable[str], *, inputs: str | None = None,
    witnesses: str | os.PathLike[str] = "lockstep-witness", on_start: Callable[[str], None] | None = None, pool: Pool | None = None,
    workers: int = 1, **options: Any,
) -> Iterator[Verdict]:
    """Verdicts one after the other, from warm processes. candidates: files, folders of files, JSONL with "code" and "name".
    options: those of judge(). pool: of processes that several calls share (`with processes.Pool() as pool`). workers: so many
    candidates at once, each with processes of its own; the order stays, and on_start and pool are not used."""
    from lockstep.judging import processes, tasks
    from lockstep.judging.course import Judging
    from lockstep.judging.decide import Options

    task = tasks.task_of(os.fspath(reference), inputs)
    found = [one for word in candidates for one in tasks.candidates_of(word, task)]
    if workers > 1 and len(found) > 1:
        from lockstep.judging import workers as many

        yield from many.judged([(task, one, Options(**options), os.fspath(witnesses)) for one in found], workers)
        return
    with processes.Pool() if pool is None else contextlib.nullcontext(pool) as warm:
        for one in found:
            if on_start is not None:
                on_start(one.name)
            yield Judging(task, one, Options(**options), os.fspath(witnesses)).run(warm)


class JudgeError(LockstepError):
    """The reference is wrong, or the environment lacks something; `code`: the exit code of the command."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return JudgeError, (str(self), self.code)
