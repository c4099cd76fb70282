"""The order of the looks: one plain call first, then states, values and histories, until something is rejected or all is done."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lockstep.judging import JudgeError, inputs, processes, witness, work
from lockstep.judging.compare import Difference, Expected, Obtained, compare
from lockstep.judging.tensors import Bits, from_head
from lockstep.judging.verdict import Reason, Undecided, Verdict

DRAWS = 3
# : So many inputs and parameters are changed one at a time to name those without effect.
MOST_CHANGED = 8
# : Codes of errors that reject, by class; those of lanes and numbers do not.
_CODES = {"LS1": "bounds", "LS2": "undefined", "LS3": "race", "LS9": "race"}
# : Elements of a result that nothing writes.
UNWRITTEN = frozenset(("LS203", "LS204"))
# : What judges of this version do not check yet.
NOT_YET = [
    "other shapes", "other layouts", "orders of programs", "configurations of autotune", "other GPUs",
    "enclosures of several launches", "branches that no input took",
]


@dataclass
class Options:
    """Of one judgement."""

    seed: int | None = None
    time: float = 120.0
    torch: str = "glue"
    precision: str = "tf32"


@dataclass
class Loaded:
    """The task as the reference has it."""

    init: list[Any] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    state: list[Bits] = field(default_factory=list)
    domains: list[inputs.Domain] = field(default_factory=list)


@dataclass
class Call:
    """One call of a history as the candidate's process tells it."""

    obtained: Obtained
    ends: list[Bits]
    facts: dict[str, Any]


class _Done(Exception):
    """The verdict stands."""


def _tensors(heads: list[dict[str, Any]], blocks: list[bytes]) -> list[Bits]:
    return [from_head(head, data) for head, data in zip(heads, blocks, strict=True)]


def _are_equal(some: list[Bits], others: list[Bits]) -> bool:
    """The same numbers: zeros may have either sign."""
    return len(some) == len(others) and all(
        a.shape == b.shape and np.array_equal(a.numbers(), b.numbers(), equal_nan=a.is_float) for a, b in zip(some, others, strict=True))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise JudgeError(f"{path} cannot be read: {error}", 2) from error


class Judging:
    """One reference and one candidate."""

    def __init__(self, reference: str, candidate: str, options: Options, witnesses: str) -> None:
        self.options, self.witnesses = options, witnesses
        self.texts = _read(reference), _read(candidate)
        seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "little")
        digests = tuple(hashlib.sha256(one.encode()).hexdigest() for one in self.texts)
        self.verdict = Verdict(reference, candidate, seed, (digests[0], digests[1]), witnesses=witnesses)
        self.rng = np.random.default_rng(seed)
        self.task = Loaded()
        self.mapping: list[tuple[str, int]] = []  # the candidate's name, the reference's number
        self.reference_ops: dict[str, int] = {}
        self.inputs = 0
        self.histories: list[str] = []
        self.weak: list[str] = []
        self.real_known = self.real_unknown = 0

    def run(self) -> Verdict:
        started = time.monotonic()
        self.until = started + self.options.time
        self.reference = processes.reference_process(self.until)
        self.candidate = processes.candidate_process(self.until)
        try:
            self._load_reference()
            self._load_candidate()
            self._look()
        except _Done:
            pass
        finally:
            self.reference.close()
            self.candidate.close()
        self._finish(time.monotonic() - started)
        return self.verdict

    def _finish(self, seconds: float) -> None:
        verdict = self.verdict
        verdict.seconds = seconds
        verdict.notes += sorted(set(self.weak))[:4]
        if self.real_unknown and not verdict.reasons:
            verdict.notes.append(f"{self.real_unknown} of {self.real_unknown + self.real_known} results are compared by digits only: "
                                 "what they are without rounding is not known")
        for i, domain in enumerate(self.task.domains):
            verdict.assumed += [f"input {i}: {one}" for one in domain.assumed]
        verdict.covered = {
            "shapes": [[list(one.draws[0].shape) for one in self.task.domains]], "inputs": self.inputs, "histories": self.histories,
            "isolation": "process", "not checked": NOT_YET}

    # ---- the two sides ----

    def _load_reference(self) -> None:
        verdict = self.verdict
        try:
            answer, blocks = self.reference.ask(
                {"kind": "load", "text": self.texts[0], "path": os.path.abspath(verdict.reference), "seed": verdict.seed})
            if answer["kind"] == "raised":
                raise JudgeError(f"the reference raises {answer['type']} at line {answer['line']}: {answer['text']}", 2)
            task = self.task
            task.init, task.names, task.state = answer["init"], answer["names"], _tensors(answer["state"], blocks)
            draws = []
            for i in range(DRAWS):
                drawn, blocks = self.reference.ask({"kind": "draw", "seed": verdict.seed + i})
                draws.append(_tensors(drawn["tensors"], blocks))
        except processes.Gone as error:
            raise JudgeError(f"the reference's process is {error}: {self.reference.output()[-400:]}", 2) from error
        except ValueError as error:
            raise JudgeError(f"the reference uses tensors of a type that is not known here: {error}", 2) from error
        task.domains = [inputs.mine([draw[i] for draw in draws]) for i in range(len(draws[0]))]
        first = self.expected(draws[0], task.state)
        if first is None or [one.data for one in first.own] != [one.data for one in self._expect(draws[0], task.state, False)[0]]:
            raise JudgeError("the reference gives another result for the same inputs, or none", 2)
        others = [self.expected(draw, task.state) for draw in draws[1:]]
        if not all(domain.is_constant for domain in task.domains) and all(
            one is not None and _are_equal(one.own, first.own) for one in others
        ):
            raise JudgeError("the reference's result does not depend on its inputs", 2)

    def _expect(self, given: list[Bits], state: list[Bits], wide: bool) -> tuple[list[Bits], dict[str, int]]:
        every = [*given, *state]
        answer, blocks = self.reference.ask(
            {"kind": "call", "tensors": [one.head() for one in every], "inputs": len(given), "wide": wide},
            [one.data for one in every])
        if answer["kind"] == "raised":
            raise ArithmeticError(answer["text"])
        return _tensors(answer["tensors"], blocks), answer["ops"]

    def expected(self, given: list[Bits], state: list[Bits]) -> Expected | None:
        """None: the reference raises, or its own result says nothing."""
        try:
            own, self.reference_ops = self._expect(given, state, False)
            wide, _ = self._expect(given, state, True)
        except (ArithmeticError, ValueError):
            return None
        except processes.Gone as error:
            self._stop("limit", f"the reference's process is {error}", is_late=str(error) == "late")
        made = Expected(own, wide)
        return made if len(own) == len(wide) and made.is_meaningful() else None

    def _load_candidate(self) -> None:
        path = os.path.join(self.candidate.folder, "solution.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.texts[1])
        answer, blocks = self._ask({"kind": "load", "path": path, "init": self.task.init, "seed": self.verdict.seed})
        if answer["kind"] == "raised":
            self._reject("no result", f"it cannot be made: {answer['type']}: {answer['text']}", line=answer["line"])
        names, state = answer["names"], _tensors(answer["state"], blocks)
        own = dict(zip(names, state, strict=True))
        left = list(names)
        for i, (name, bits) in enumerate(zip(self.task.names, self.task.state, strict=True)):
            if name in own and own[name].shape == bits.shape:
                found = name
            else:
                same = [one for one in left if own[one].data == bits.data and own[one].shape == bits.shape]
                if not same:
                    self._stop("parameters", f"nothing of the candidate corresponds to the reference's {name}")
                found = same[0]
            if found in left:
                left.remove(found)
            self.mapping.append((found, i))

    def _ask(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> tuple[dict[str, Any], list[bytes]]:
        try:
            return self.candidate.ask(message, blocks)
        except processes.Gone as error:
            if str(error) == "late":
                self._stop("limit", f"no answer within {self.options.time:g} s", is_late=True)
            self._reject("no result", f"its process is {error}: {self.candidate.output()[-300:].strip()}")
        raise AssertionError

    # ---- verdicts ----

    def _stop(self, what: str, why: str, is_late: bool = False) -> None:
        self.verdict.undecided.append(Undecided(what, why))
        self.verdict.is_late = is_late
        raise _Done

    def _reject(self, kind: str, message: str, line: int = 0, shown: str = "", findings: list[dict[str, Any]] | None = None) -> None:
        self.verdict.reasons.append(Reason(kind, message, line, shown, findings or []))
        raise _Done

    def _witness(self, message: str, given: list[Bits], state: list[Bits], calls: list[str], obtained: list[Bits]) -> str:
        facts = {"seed": self.verdict.seed, "init": self.task.init, "message": message, "calls": calls}
        named = list(zip(self.task.names, state, strict=True))
        return witness.write(self.witnesses, self.texts[0], facts, given, named, obtained)

    # ---- looks ----

    def _look(self) -> None:
        task = self.task
        base = [one.draws[0] for one in task.domains]
        self._plain(base, task.state, "first draw")
        state = [inputs.new_state(name, old, self.rng) for name, old in zip(task.names, task.state, strict=True)]
        self._plain([one.draws[1] for one in task.domains], state, "second draw, other parameters")
        self._values(state)
        self._histories(base, state)
        if self.weak_function and not self.verdict.reasons:
            self.verdict.undecided.append(Undecided("function", self.weak_function))

    weak_function = ""

    def _values(self, state: list[Bits]) -> None:
        """Each class for all tensors, then tensors of different classes."""
        names = list(inputs.CLASSES)
        for name in names:
            self._plain([inputs.drawn(one, name, self.rng) for one in self.task.domains], state, name)
        for _ in range(3 if len(self.task.domains) > 1 else 0):
            picked = [names[int(self.rng.integers(0, len(names)))] for _ in self.task.domains]
            given = [inputs.drawn(one, name, self.rng) for one, name in zip(self.task.domains, picked, strict=True)]
            self._plain(given, state, ", ".join(picked))

    def _plain(self, given: list[Bits], state: list[Bits], name: str) -> None:
        right = self.expected(given, state)
        if right is None:
            return
        self.inputs += 1
        calls = self._run([("state", state), ("new", given)])
        self._judge_call(calls[0], right, given, state, [name])

    def _histories(self, base: list[Bits], state: list[Bits]) -> None:
        """Several calls of one model; all results are compared at the end."""
        domains = self.task.domains
        other = [one.draws[2] for one in domains]
        near = [inputs.with_one_changed(bits, domain) for bits, domain in zip(base, domains, strict=True)]
        old = self.task.state
        plans: dict[str, list[tuple[str, list[Bits]]]] = {
            "x, x again": [("state", state), ("new", base), ("new", base)],
            "x, other numbers in the same tensors": [("state", state), ("new", base), ("copy", other)],
            "x, other numbers without a new version": [("state", state), ("new", base), ("data", other)],
            "x, one element changed": [("state", state), ("new", base), ("data", near)],
            "x, y, x in new tensors": [("state", state), ("new", base), ("new", other), ("new", base)],
            "13 calls": [("state", state)] + [("data" if i % 2 else "new", other if i % 3 == 1 else base) for i in range(13)],
        }
        if state:
            plans["parameters changed between"] = [("state", old), ("new", base), ("state", state), ("call", base)]
        for name, plan in plans.items():
            self._history(name, plan)

    def _history(self, name: str, plan: list[tuple[str, list[Bits]]]) -> None:
        state, moments = self.task.state, []
        for kind, bits in plan:
            if kind == "state":
                state = bits
            else:
                moments.append((bits, state))
        rights = [self.expected(given, now) for given, now in moments]
        calls = self._run(plan)
        self.histories.append(name)
        for k, (call, right, (given, now)) in enumerate(zip(calls, rights, moments, strict=True)):
            if right is None:
                continue
            steps = [f"{name}, call {k + 1} of {len(calls)}"]
            self._judge_call(call, right, given, now, steps, is_history=True)
            if [one.data for one in call.ends] != [one.data for one in call.obtained.outputs]:
                text = f"{steps[0]}: the result changes after it was returned: its storage is used again, or it comes late"
                self._reject("state", text, shown=self._witness(text, given, now, steps, call.ends))

    def _run(self, plan: list[tuple[str, list[Bits]]]) -> list[Call]:
        tensors: list[Bits] = []
        steps: list[list[Any]] = []
        for kind, bits in plan:
            first = len(tensors)
            tensors += bits
            if kind == "state":
                steps.append(["state", [[name, first + i] for name, i in self.mapping]])
                continue
            if kind != "call":
                steps += [[kind, i, first + i] for i in range(len(bits))]
            steps.append(["call", list(range(len(bits)))])
        answer, blocks = self._ask(
            {"kind": "history", "tensors": [one.head() for one in tensors], "steps": steps, "real": True, "check": "auto"},
            [one.data for one in tensors])
        if answer["kind"] == "raised":
            self._reject("no result", f"{answer['type']}: {answer['text']}", line=answer["line"])
        if answer["raised"] is not None:
            raised = answer["raised"]
            self._reject("no result", f"it raises {raised['type']}: {raised['text']}", line=raised["line"])
        try:
            return self._calls(answer, blocks)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            self._reject("type", f"it does not return dense tensors: {error}")
        raise AssertionError

    def _calls(self, answer: dict[str, Any], blocks: list[bytes]) -> list[Call]:
        found, at = [], 0
        for facts in answer["calls"]:
            outputs, real = [], []
            for head in facts["outputs"]:
                outputs.append(from_head(head, blocks[at]))
                pairs = np.frombuffer(blocks[at + 1], "f8").reshape(-1, 2)
                whole = len(pairs) == outputs[-1].numbers().size
                shape = outputs[-1].shape
                real.append((pairs[:, 0].reshape(shape), pairs[:, 1].reshape(shape)) if whole and len(pairs) else None)
                at += 2
            found.append(Call(Obtained(outputs, real), [], facts))
        for call, heads in zip(found, answer["ends"], strict=True):
            for head in heads:
                call.ends.append(from_head(head, blocks[at]))
                at += 1
        return found

    def _judge_call(
        self, call: Call, right: Expected, given: list[Bits], state: list[Bits], steps: list[str], is_history: bool = False
    ) -> None:
        facts = call.facts
        outputs = call.obtained.outputs
        codes = {one["code"] for one in facts["findings"]}
        if any(one not in ("Tensor", "Parameter") for one in facts["types"]):
            self._reject("type", f"it returns {', '.join(facts['types'])}, not plain tensors")
        self._judge_work(facts, given, outputs)
        for one in call.obtained.real:
            is_known = one is not None and bool(np.isfinite(one[0]).all())
            self.real_known += is_known
            self.real_unknown += not is_known
        has_tf32 = "LS605" in codes and self.options.precision == "tf32"
        found = compare(right, call.obtained, has_tf32)
        if found is not None and found.kind == "unsure":
            self.weak_function = self.weak_function or found.message
        elif found is not None and found.kind == "less accurate":
            self.weak.append(found.message)
        elif found is not None:
            self._reject_difference(found, call, given, state, steps, is_history)
        if facts["changed"]:
            text = f"{steps[0]}: it changes input {facts['changed'][0]}"
            self._reject("mutation", text, shown=self._witness(text, given, state, steps, outputs))
        self._judge_findings(facts["findings"], given, state, steps, outputs)

    def _judge_work(self, facts: dict[str, Any], given: list[Bits], outputs: list[Bits]) -> None:
        self.verdict.work = self.verdict.work or work.table(facts["ops"])
        if self.options.torch == "any":
            return
        largest = max([one.numbers().size for one in [*given, *outputs]], default=0)
        for one in work.forbidden(facts["ops"], self.reference_ops, largest):
            self._reject("torch", f"torch.{one['op']} computes on {one['elements']} elements: this is the kernels' work", one["line"])

    def _judge_findings(
        self, findings: list[dict[str, Any]], given: list[Bits], state: list[Bits], steps: list[str], outputs: list[Bits]
    ) -> None:
        errors = [one for one in findings if one["tier"] == "error"]
        for one in errors:
            kind = _CODES.get(one["code"][:3])
            if kind is None:
                continue
            text = f"{one['kernel']}: {one['message']} [{one['code']}]"
            self._reject(kind, text, one["line"], self._witness(text, given, state, steps, outputs), [one])

    def _ignored(self, call: Call, given: list[Bits], state: list[Bits]) -> str:
        """An input or a parameter that the reference reacts to and the candidate does not; "": there is none."""
        right = self.expected(given, state)
        for i in range(min(len(given) + len(state), MOST_CHANGED)):
            if i < len(given):
                others = [one.draws[2] if k == i else old for k, (one, old) in enumerate(zip(self.task.domains, given, strict=True))]
                plan, name = (others, state), f"input {i}"
            else:
                k = i - len(given)
                name = self.task.names[k]
                new = inputs.new_state(name, state[k], self.rng)
                plan, name = (given, [new if at == k else old for at, old in enumerate(state)]), f"`{name}`"
            changed = self.expected(*plan)
            if right is None or changed is None or _are_equal(changed.own, right.own):
                continue
            now = self._run([("state", plan[1]), ("new", plan[0])])[0]
            if _are_equal(now.obtained.outputs, call.obtained.outputs):
                return name
        return ""

    def _reject_difference(
        self, found: Difference, call: Call, given: list[Bits], state: list[Bits], steps: list[str], is_history: bool
    ) -> None:
        kind = found.kind
        outputs = call.obtained.outputs
        findings = [one for one in call.facts["findings"] if one["tier"] == "error" and one["code"][:3] in _CODES]
        codes = {one["code"] for one in call.facts["findings"]}
        if findings:
            kind = _CODES[findings[0]["code"][:3]]
        elif codes & UNWRITTEN and kind in ("values", "function"):
            kind = "unwritten"
        elif is_history:
            kind = "state"
        elif kind in ("values", "function") and (ignored := self._ignored(call, given, state)):
            kind = "dependence"
            found.message = f"{ignored} has no effect; {found.message}"
        text = f"{steps[0]}: {found.message}"
        line = findings[0]["line"] if findings else 0
        self._reject(kind, text, line, self._witness(text, given, state, steps, outputs), findings)
