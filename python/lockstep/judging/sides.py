"""The judge's two correspondents: what the reference's and the candidate's processes are asked, and what they answer, as typed
values. Invariant: an answer of the candidate is numbers and text to look at; a wrong form of it is a Rejected, never an error here."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lockstep.judging import JudgeError, engine, inputs, processes
from lockstep.judging.compare import Expected, Obtained
from lockstep.judging.nest import is_nest
from lockstep.judging.tensors import Bits, from_head
from lockstep.judging.verdict import Undecided

DRAWS = 3
# : Ops that hand on no bytes.
ALLOCATION = frozenset("empty empty_like new_empty empty_strided new_empty_strided detach zeros zeros_like new_zeros".split())


class Stopped(Exception):
    """Nothing more can be found out: `what` is not decided."""

    def __init__(self, what: str, why: str, is_late: bool = False) -> None:
        super().__init__(why)
        self.undecided, self.is_late = Undecided(what, why), is_late


class Rejected(Exception):
    """The candidate is wrong, and no call is needed to show it."""

    def __init__(self, kind: str, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.kind, self.message, self.line = kind, message, line


class Raised(Exception):
    """The candidate's code raised."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.type, self.text, self.line = str(described["type"]), str(described["text"]), int(described["line"])
        super().__init__(f"{self.type}: {self.text}")


@dataclass
class Loaded:
    """The task at one set of sizes, as the reference has it."""

    sizes: dict[str, int]
    init: Any
    nest: Any
    names: list[str]
    state: list[Bits]
    number: int = 0  # of GPU MODE's tests
    domains: list[inputs.Domain] = field(default_factory=list)
    mapping: list[tuple[str, int]] = field(default_factory=list)  # the candidate's name, the reference's number

    def draw(self, i: int) -> list[Bits]:
        return [one.draws[i] for one in self.domains]


@dataclass
class How:
    """How a history is run."""

    layouts: list[str] | None = None  # of each input
    options: dict[str, Any] = field(default_factory=dict)  # of Lockstep, over the usual ones
    disguise: bool = False
    models: int = 1
    function: str = ""  # of a module that tests call, with the grid of a kernel
    grid: Any = None
    same: list[int] | None = None  # arguments that are one tensor


@dataclass
class Call:
    """One call of a history as the candidate's process tells it."""

    obtained: Obtained
    ends: list[Bits]
    facts: dict[str, Any]


# : A step of a plan: "state", "call", or how the inputs' tensors are filled ("new", "copy", "data"); its tensors; which model.
Plan = list[tuple[Any, ...]]


def _tensors(heads: list[dict[str, Any]], blocks: list[bytes]) -> list[Bits]:
    return [from_head(head, data) for head, data in zip(heads, blocks, strict=True)]


class Sides:
    """Both processes, for one judgement."""

    def __init__(self, pool: processes.Pool, texts: tuple[str, str], task: dict[str, Any], path: str, seed: int, until: float) -> None:
        self.texts, self.task, self.path, self.seed = texts, task, path, seed
        self.reference = pool.process("reference", until)
        self.candidate = pool.process("candidate", until, texts[1])
        self.reference_ops: list[dict[str, Any]] = []
        self.reference_steps = 0  # ops of its last call in its own type
        self.configurations = 1
        self.attributes: dict[str, list[Any]] = {}  # of a module that tests import
        self.present: tuple[int, dict[str, int]] | None = None  # sizes that the reference has
        self.told: list[engine.Told] = []  # all calls, for engine.replay

    def close(self) -> None:
        self.reference.close()
        self.candidate.close()

    # ---- the reference ----

    def _reference(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> tuple[dict[str, Any], list[bytes]]:
        try:
            answer, made = self.reference.ask(message, blocks)
        except processes.Gone as error:
            if str(error) == "late":
                raise Stopped("limit", "the reference has no answer in time", is_late=True) from error
            raise JudgeError(f"the reference's process is {error}: {self.reference.output()[-400:]}", 2) from error
        if answer["kind"] == "raised":
            raise ArithmeticError(f"{answer['type']} at line {answer['line']}: {answer['text']}")
        return answer, made

    def ask_reference(self, message: dict[str, Any]) -> dict[str, Any]:
        """Raises JudgeError where its process raises."""
        try:
            return self._reference(message)[0]
        except ArithmeticError as error:
            raise JudgeError(f"the reference raises {error}", 2) from error

    def load_reference(self) -> Loaded:
        try:
            answer, blocks = self._reference(
                {"kind": "load", "text": self.texts[0], "path": os.path.abspath(self.path), "seed": self.seed, "task": self.task})
            loaded = self._loaded(answer, blocks, 0)
            self._draw(loaded)
            return loaded
        except ArithmeticError as error:
            raise JudgeError(f"the reference raises {error}", 2) from error
        except ValueError as error:
            raise JudgeError(f"the reference uses tensors of a type that is not known here: {error}", 2) from error

    def _loaded(self, answer: dict[str, Any], blocks: list[bytes], number: int) -> Loaded:
        loaded = Loaded(
            dict(answer["sizes"]), answer["init"], answer["nest"], answer["names"], _tensors(answer["state"], blocks), number)
        self.present = (number, loaded.sizes)
        return loaded

    def _draw(self, loaded: Loaded) -> None:
        draws = []
        for i in range(DRAWS):
            drawn, blocks = self._reference({"kind": "draw", "seed": self.seed + i})
            draws.append(_tensors(drawn["tensors"], blocks))
        loaded.domains = [inputs.mine([draw[i] for draw in draws]) for i in range(len(draws[0]))]

    def elements(self, sizes: dict[str, int]) -> int:
        """Of the inputs and parameters at these sizes; raises ArithmeticError where there are none."""
        return int(self._reference({"kind": "sizes", "sizes": sizes, "only_count": True})[0]["elements"])

    def resized(self, sizes: dict[str, int], number: int = 0) -> Loaded | None:
        """The task at other sizes; None: the reference has none, or another number of parameters."""
        try:
            answer, blocks = self._reference({"kind": "sizes", "sizes": sizes, "only_count": False, "number": number})
            loaded = self._loaded(answer, blocks, number)
            self._draw(loaded)
            return loaded
        except (ArithmeticError, ValueError):
            self.present = None
            return None

    def _take_up(self, loaded: Loaded) -> None:
        """The reference gets these sizes, if it has others."""
        if self.present != (loaded.number, loaded.sizes):
            self._reference({"kind": "sizes", "sizes": loaded.sizes, "only_count": False, "number": loaded.number})
            self.present = (loaded.number, loaded.sizes)

    def _expect(self, given: list[Bits], state: list[Bits], wide: bool) -> tuple[list[Bits], dict[str, Any]]:
        every = [*given, *state]
        answer, blocks = self._reference(
            {"kind": "call", "tensors": [one.head() for one in every], "inputs": len(given), "wide": wide}, [one.data for one in every])
        return _tensors(answer["tensors"], blocks), answer

    def expected(self, loaded: Loaded, given: list[Bits], state: list[Bits]) -> Expected | None:
        """None: the reference raises, or its own result does not count."""
        try:
            self._take_up(loaded)
            own, answer = self._expect(given, state, False)
            self.reference_ops, self.reference_steps = answer["ops"], int(answer["steps"])
            wide, _ = self._expect(given, state, True) if any(one.is_float for one in own) else (own, {})
        except (ArithmeticError, ValueError):
            return None
        made = Expected(own, wide, list(answer["changed"]))
        return made if len(own) == len(wide) and made.is_meaningful() else None

    def same_again(self, loaded: Loaded, given: list[Bits], state: list[Bits]) -> list[Bits]:
        return self._expect(given, state, False)[0]

    # ---- the candidate ----

    def _ask(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> tuple[dict[str, Any], list[bytes]]:
        try:
            return self.candidate.ask(message, blocks)
        except processes.Gone as error:
            if str(error) == "late":
                raise Stopped("limit", "no answer in time", is_late=True) from error
            if str(error) == "gone: ":
                raise JudgeError("the process of candidates cannot be started", 3) from error
            raise Rejected("no result", f"its process is {error}: {self.candidate.output()[-300:].strip()}") from error

    def isolation(self) -> list[str]:
        """What keeps the candidate to itself."""
        try:
            return [one for one in self.candidate.facts()["had"] if one != "-"]
        except processes.Gone as error:
            raise JudgeError(f"the process of candidates cannot be started: {error}", 3) from error

    def load_candidate(self, loaded: Loaded, entry: dict[str, Any]) -> None:
        path = os.path.join(self.candidate.folder, "solution.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.texts[1])
        answer, blocks = self._ask({"kind": "load", "path": path, "init": loaded.init, "seed": self.seed, "entry": entry})
        with _as_asked():
            if answer["kind"] == "raised":
                raise Rejected("no result", f"it cannot be made: {answer['type']}: {answer['text']}", int(answer["line"]))
            self._map(loaded, answer, blocks)
            self.configurations = int(answer["configurations"])
            self.attributes = _attributes(answer.get("attributes", {}))

    def map_at(self, loaded: Loaded) -> None:
        """The candidate's parameters at other sizes. Raises Raised where it refuses them."""
        answer, blocks = self._ask({"kind": "make", "init": loaded.init, "seed": self.seed})
        with _as_asked():
            if answer["kind"] == "raised":
                raise Raised(answer)
            self._map(loaded, answer, blocks)

    def _map(self, loaded: Loaded, answer: dict[str, Any], blocks: list[bytes]) -> None:
        """Parameters by name; else by equal values under one seed; else the only one of its shape."""
        own = dict(zip(answer["names"], _tensors(answer["state"], blocks), strict=True))
        left = list(own)
        for i, (name, bits) in enumerate(zip(loaded.names, loaded.state, strict=True)):
            found = name if name in own and own[name].shape == bits.shape else ""
            if not found:
                same = [one for one in left if own[one].shape == bits.shape]
                equal = [one for one in same if own[one].data == bits.data]
                if not equal and len(same) != 1:
                    raise Stopped("parameters", f"nothing of the candidate corresponds to the reference's {name}")
                found = (equal or same)[0]
            if found in left:
                left.remove(found)
            loaded.mapping.append((found, i))

    def host_lines(self) -> list[int]:
        answer, _ = self._ask({"kind": "host"})
        with _as_asked():
            answer = {"lines": [int(one) for one in answer["lines"]]}
        return list(answer["lines"])

    def run(self, loaded: Loaded, plan: Plan, how: How | None = None) -> list[Call]:
        """The calls of a history. Raises Raised, Rejected, Stopped."""
        how = how or How()
        tensors: list[Bits] = []
        steps: list[list[Any]] = []
        for kind, bits, *model in plan:
            first = len(tensors)
            tensors += bits
            if kind == "state":
                steps.append(["state", [[name, first + i] for name, i in loaded.mapping]])
                continue
            if kind != "call":
                steps += [[kind, i, first + i, (how.layouts or [""] * len(bits))[i]] for i in range(len(bits))]
            steps.append(["call", how.same or list(range(len(bits))), model[0] if model else 0])
        options = {"real": True, "check": "auto"} | how.options
        answer, blocks = self._ask(
            {"kind": "history", "tensors": [one.head() for one in tensors], "steps": steps, "options": options, "nest": loaded.nest,
             "init": loaded.init, "seed": self.seed, "disguise": how.disguise, "models": how.models, "function": how.function, "grid": how.grid},
            [one.data for one in tensors])
        if answer.get("kind") == "raised" or answer.get("raised") is not None:
            raise _raised(answer["raised"] if answer.get("kind") != "raised" else answer)
        try:
            calls = _calls(answer, blocks)
            if len(calls) != sum(step[0] == "call" for step in steps):
                raise ValueError("its answer is not what was asked for")
            for call in calls if how.function else ():
                _check_value(call.facts, len(plan[0][1]))
            self.told += _told(loaded, plan, calls)
            return calls
        except _WRONG_FORM as error:
            raise Rejected("type", f"it does not return dense tensors: {error}") from error


# : What reading an answer of another form raises.
_WRONG_FORM = (ValueError, KeyError, TypeError, IndexError, OverflowError, AttributeError)


@contextlib.contextmanager
def _as_asked() -> Iterator[None]:
    try:
        yield
    except _WRONG_FORM as error:
        raise Rejected("no result", "its answer is not what was asked for") from error


def _attributes(told: Any) -> dict[str, list[Any]]:
    found = {str(name): [str(one[0]), *one[1:2]] for name, one in dict(told).items()}
    for kind, *what in found.values():
        if kind == "value" and not is_nest(what[0], 0) or kind == "other" and type(what[0]) is not str:
            raise ValueError("its answer is not what was asked for")
    return found


def _told(loaded: Loaded, plan: Plan, calls: list[Call]) -> list[engine.Told]:
    made, state = [], loaded.state
    left = iter(calls)
    for kind, bits, *_ in plan:
        if kind == "state":
            state = bits
            continue
        call = next(left)
        first, last = call.facts["capsules"]
        is_glued = any(one["op"] not in ALLOCATION for one in call.facts["ops"])
        outputs = call.obtained.outputs
        made.append(engine.Told(loaded, bits, state, outputs, len(call.facts["launches"]), range(first, last), not is_glued))
    return made


def _raised(told: Any) -> Raised | Rejected:
    try:
        return Raised(told)
    except _WRONG_FORM:
        return Rejected("no result", "its answer is not what was asked for")


def _checked(facts: dict[str, Any]) -> None:
    """Raises ValueError for facts of another form: the candidate's process may send any."""
    for name in ("ops", "findings"):
        for one in facts[name]:
            words = ("op",) if name == "ops" else ("code", "tier", "message", "kernel")
            numbers = ("elements", "flops", "line") if name == "ops" else ("line",)
            if not all(isinstance(one[key], str) for key in words) or not all(isinstance(one[key], int) for key in numbers):
                raise ValueError("its answer is not what was asked for")
    if [type(one) for one in facts["capsules"]] != [int, int]:
        raise ValueError("its answer is not what was asked for")
    if not all(isinstance(dims, list) and all(type(one) is int for one in dims) for dims in facts["asked"]):
        raise ValueError("its answer is not what was asked for")
    lists = {"launches": str, "unknown": str, "origins": str, "types": str, "threads": str, "changed": int, "is_input": bool}
    if not all(isinstance(one, kind) for name, kind in lists.items() for one in facts[name]) or not isinstance(facts["narrow"], bool):
        raise ValueError("its answer is not what was asked for")
    if not len(facts["origins"]) <= len(facts["types"]) == len(facts["is_input"]) == len(facts["outputs"]):
        raise ValueError("its answer is not what was asked for")


def _check_value(facts: dict[str, Any], inputs: int) -> None:
    """What a call of tests has beside: the form of its value. Raises ValueError."""
    count = len(facts["outputs"]) - len(facts["changed"])
    is_right = count >= 0 and is_nest(facts["value"], count) and len(facts["alias"]) == count
    places = [*facts["alias"], *facts["changed"]]
    if not is_right or not all(type(one) is int and -1 <= one < inputs for one in places) or len(set(facts["changed"])) != len(facts["changed"]):
        raise ValueError("its answer is not what was asked for")


def _calls(answer: dict[str, Any], blocks: list[bytes]) -> list[Call]:
    found, at = [], 0
    for facts in answer["calls"]:
        _checked(facts)
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
