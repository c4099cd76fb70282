"""One judgement: the two processes, the looks in their order, and the verdict."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import numpy as np

from lockstep.judging import JudgeError, isolation, processes, suites, suspects
from lockstep.judging.decide import Decider, Done, Options, are_equal
from lockstep.judging.looks import Looks
from lockstep.judging.sides import Loaded, Raised, Rejected, Sides, Stopped
from lockstep.judging.tasks import Candidate, Task
from lockstep.judging.verdict import Undecided, Verdict

# : What judges of this version do not check yet.
NOT_YET = ["enclosures of several launches", "sizes beyond those that were run", "faults of compilers and GPUs"]


class Judging:
    """One task and one candidate."""

    def __init__(self, task: Task, candidate: Candidate, options: Options, witnesses: str) -> None:
        self.options, self.task, self.candidate = options, task, candidate
        seed = options.seed if options.seed is not None else int.from_bytes(os_random(), "little")
        digests = tuple(hashlib.sha256(one.encode()).hexdigest() for one in (task.text, candidate.text))
        self.verdict = Verdict(task.name, candidate.name, seed, (digests[0], digests[1]), witnesses=witnesses)
        self.rng = np.random.default_rng(seed)
        self.loaded: Loaded | None = None
        self.had: list[str] = []

    def run(self, pool: processes.Pool) -> Verdict:
        started = time.monotonic()
        texts = self.task.text, self.candidate.text
        self.sides = Sides(pool, texts, self.task.described, self.task.path, self.verdict.seed, started + self.options.time)
        self.decider = Decider(self.sides, self.verdict, self.options, texts, self.rng)
        self.looks = Looks(self.sides, self.decider, self.rng)
        verdict = self.verdict
        try:
            self._isolate()
            self._look()
        except Done:
            pass
        except Stopped as stopped:
            verdict.undecided.append(stopped.undecided)
            verdict.is_late = stopped.is_late
        except (Rejected, Raised) as found:
            self._rejected(found)
        finally:
            self.sides.close()
        self._finish(time.monotonic() - started)
        return verdict

    def _rejected(self, found: Rejected | Raised) -> None:
        from lockstep.judging.verdict import Reason

        if isinstance(found, Rejected):
            self.verdict.reasons.append(Reason(found.kind, found.message, found.line))
        elif found.type == "NotImplementedError" or "not supported" in found.text:
            self.verdict.undecided.append(Undecided("not supported", str(found), found.line))
        else:
            self.verdict.reasons.append(Reason("no result", f"it raises {found}", found.line))

    def _isolate(self) -> None:
        self.had = self.sides.isolation()
        lacking = [one for one in isolation.ALL if one not in self.had]
        if self.options.isolation == "strict" and lacking:
            raise JudgeError(f"this system does not give {', '.join(lacking)} (--isolation strict)", 3)

    def _look(self) -> None:
        looks, sides = self.looks, self.sides
        if self.task.described["kind"] == "tests":
            suites.Suite(sides, self.decider, looks, self.task.described).look()
            return self._last()
        loaded = self._load_reference()
        sides.load_candidate(loaded, self.candidate.entry)
        state = looks.first(loaded)
        looks.values(loaded, state)
        looks.soft(loaded, state)
        looks.all_histories(loaded, state)
        if self.options.layouts != "given":
            looks.arrangements(loaded, state)
        looks.machines(loaded, state)
        looks.disguised(loaded, state)
        if self.options.shapes == "family":
            looks.sizes(loaded)
        for number in range(1, self.task.tests):
            self._test(number)
        self._last()

    def _last(self) -> None:
        """What comes when all calls are made."""
        self.looks.again_elsewhere()
        self._suspects()
        self.verdict.undecided += self.decider.lanes
        if self.decider.mixed:
            self.verdict.undecided.append(Undecided("work", self.decider.mixed))
        if self.decider.weak_function:
            self.verdict.undecided.append(Undecided("function", self.decider.weak_function))

    def _load_reference(self) -> Loaded:
        """At sizes that can be run. Raises JudgeError for a reference that is not a task."""
        sides = self.sides
        loaded = self.loaded = self.looks.scaled(sides.load_reference())
        first = sides.expected(loaded, loaded.draw(0), loaded.state)
        if first is None:
            raise Stopped("ill-conditioned", "the reference has no result for its own inputs, or one far from its f64 run")
        if [one.data for one in first.own] != [one.data for one in sides.same_again(loaded, loaded.draw(0), loaded.state)]:
            raise JudgeError("the reference gives another result for the same inputs", 2)
        others = [sides.expected(loaded, loaded.draw(i), loaded.state) for i in (1, 2)]
        if not all(domain.is_constant for domain in loaded.domains) and all(
            one is not None and are_equal(one.own, first.own) for one in others
        ):
            raise JudgeError("the reference's result does not depend on its inputs", 2)
        return loaded

    def _test(self, number: int) -> None:
        """Another test of a GPU MODE folder."""
        from lockstep.judging.decide import Look

        made = self.sides.resized({}, number)
        if made is not None and sum(one.numbers().size for one in made.draw(0)) <= 4 << 18:
            self.looks.plain(made, made.draw(0), made.state, Look(made, f"test {number + 1}"))

    def _suspects(self) -> None:
        """Branches of the host program that never ran and ask who is there."""
        lines = self.sides.host_lines()
        self.untaken = suspects.untaken(self.candidate.text, lines)
        for one in self.untaken:
            if one.asks:
                self.verdict.undecided.append(Undecided("sniffing", f"`{one.text}` asks for {one.asks}, and never held", one.line))

    untaken: list[suspects.Branch] = []

    def _finish(self, seconds: float) -> None:
        verdict, decider, looks = self.verdict, self.decider, self.looks
        verdict.seconds = seconds
        verdict.notes += sorted(set(decider.weak))[:4]
        known, unknown = decider.real_known, decider.real_unknown
        if unknown and not verdict.reasons:
            verdict.notes.append(
                f"{unknown} of {unknown + known} results are compared by digits only: what they are without rounding is not known")
        shapes: list[Any] = []
        if self.loaded is not None:
            shapes = [self.loaded.sizes or [list(one.draws[0].shape) for one in self.loaded.domains], *looks.shapes]
            for i, domain in enumerate(self.loaded.domains):
                kept = [one for one in domain.assumed if f"input {i}: {one}" not in looks.dropped]
                verdict.assumed += [f"input {i}: {one}" for one in kept]
        verdict.covered = {
            "shapes": shapes, "inputs": looks.inputs, "histories": looks.histories, "layouts": looks.layouts,
            "configurations": looks.configurations, "targets": looks.targets, "schedules": looks.schedules, "dropped": looks.dropped,
            "replayed": looks.replayed, "refused": looks.refused[:12], "host_branches_never_taken": [f"{one.line}: {one.text}" for one in self.untaken][:12],
            "isolation": self.had, "not checked": NOT_YET}


def os_random() -> bytes:
    """Four bytes of the system's."""
    import os

    return os.urandom(4)
