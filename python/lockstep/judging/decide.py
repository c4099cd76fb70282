"""Whether one call is right: its numbers, types, ops, inputs and findings, and a witness where it is not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from lockstep.judging import inputs, witness, work
from lockstep.judging.compare import Difference, Expected, compare
from lockstep.judging.sides import Call, Loaded, Raised, Rejected, Sides
from lockstep.judging.tensors import Bits
from lockstep.judging.verdict import Reason, Undecided, Verdict

# : So many inputs and parameters are changed one at a time to name those without effect.
MOST_CHANGED = 8
# : Codes of errors that reject, by class; those of lanes and numbers do not.
_CODES = {"LS1": "bounds", "LS2": "undefined", "LS3": "race", "LS9": "race"}
# : Of the reference's flops, what torch may compute beside kernels.
MOST_SHARE = 0.75
# : Elements of a result that nothing writes.
UNWRITTEN = frozenset(("LS203", "LS204"))


class Done(Exception):
    """The verdict is there."""


class Noted(Exception):
    """Wrong where the options only want a note. `asked`: by input, the dimensions whose strides the program asked for."""

    asked: list[list[int]] = []


@dataclass
class Options:
    """Of one judgement."""

    seed: int | None = None
    time: float = 120.0
    torch: str = "glue"
    precision: str = "tf32"
    shapes: str = "family"
    layouts: str = "asked"
    targets: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    isolation: str = "auto"


@dataclass
class Look:
    """What a call is a part of. `kind`: the class of a difference, if the look gives one."""

    loaded: Loaded
    name: str
    kind: str = ""


def are_equal(some: list[Bits], others: list[Bits]) -> bool:
    """The same numbers: zeros may have either sign."""
    return len(some) == len(others) and all(
        a.shape == b.shape and np.array_equal(a.numbers(), b.numbers(), equal_nan=a.is_float) for a, b in zip(some, others, strict=True))


def _codes_narrow(facts: dict[str, Any]) -> bool:
    """Products in tf32."""
    return any(one["code"] == "LS605" for one in facts["findings"])


def _are_finite(some: list[Bits]) -> bool:
    return all(bool(np.isfinite(one.numbers()).all()) for one in some if one.is_float)


class Decider:
    """Compares calls with what is expected, and ends the judgement at the first that is wrong."""

    def __init__(self, sides: Sides, verdict: Verdict, options: Options, texts: tuple[str, str], rng: np.random.Generator) -> None:
        self.sides, self.verdict, self.options, self.texts, self.rng = sides, verdict, options, texts, rng
        self.weak: list[str] = []
        self.weak_function = self.mixed = ""  # what is not decided: the function; who does the work
        self.real_known = self.real_unknown = 0
        self.is_noting = self.has_tf32 = False
        self.asked: list[list[int]] = []  # of the last call
        self.lanes: list[Undecided] = []  # of one program without a barrier between

    def reject(self, kind: str, message: str, line: int = 0, shown: str = "", findings: list[dict[str, Any]] | None = None) -> None:
        if self.is_noting:
            noted = Noted(message)
            noted.asked = self.asked
            raise noted
        self.verdict.reasons.append(Reason(kind, message, line, shown, findings or []))
        raise Done

    def witness(self, look: Look, message: str, given: list[Bits], state: list[Bits], obtained: list[Bits]) -> str:
        loaded = look.loaded
        if self.is_noting:
            return ""
        facts = {
            "seed": self.verdict.seed, "init": loaded.init, "nest": loaded.nest, "sizes": loaded.sizes, "number": loaded.number,
            "task": {key: one for key, one in self.sides.task.items() if key != "maker_text"}, "message": message, "calls": [look.name]}
        named = list(zip(loaded.names, state, strict=True))
        makers = self.sides.task.get("maker_text", "")
        return witness.write(os.fspath(self.verdict.witnesses), (self.texts[0], makers), facts, given, named, obtained)

    def call(self, look: Look, call: Call, right: Expected, given: list[Bits], state: list[Bits]) -> None:
        facts = call.facts
        self.asked = facts["asked"]
        outputs = call.obtained.outputs
        if any(one not in ("Tensor", "Parameter") for one in facts["types"]):
            self.reject("type", f"it returns {', '.join(facts['types'])}, not plain tensors")
        self.judge_work(facts, given, outputs, look.kind != "shape")
        for one in call.obtained.real:
            is_known = one is not None and bool(np.isfinite(one[0]).all())
            self.real_known += is_known
            self.real_unknown += not is_known
        self.has_tf32 |= any(one["code"] == "LS605" for one in facts["findings"]) and self.options.precision == "tf32"
        largest = max([float(np.abs(one.numbers()).max(initial=0.0)) for one in [*given, *state] if one.is_float], default=0.0)
        changed = [one for one in facts["changed"] if one not in right.changed]
        if changed:
            text = f"{look.name}: it changes input {changed[0]}"
            self.reject("mutation", text, shown=self.witness(look, text, given, state, outputs[: len(right.own)]))
        found = compare(right, call.obtained, self.has_tf32, largest, facts["narrow"] or self.has_tf32 or _codes_narrow(facts))
        if found is not None and found.kind == "unsure":
            self.weak_function = self.weak_function or (found.message if not look.kind else "")
        elif found is not None and found.kind == "less accurate":
            self.weak.append(found.message)
        elif found is not None:
            self._difference(found, look, call, given, state)
        self._findings(look, call, given, state)
        self._origins(look, call, right, given, state)

    def judge_work(self, facts: dict[str, Any], given: list[Bits], outputs: list[Bits], is_own_size: bool) -> None:
        self.verdict.work = self.verdict.work or work.table(facts["ops"], self.sides.reference_ops)
        if self.options.torch == "any":
            return
        largest = max([one.numbers().size for one in [*given, *outputs]], default=0)
        if is_own_size and self._share(facts, largest) >= MOST_SHARE and not self.mixed:
            self.mixed = "ops of torch compute as much as the reference does"
        for one in work.forbidden(facts["ops"], self.sides.reference_ops, largest, is_own_size):
            self.reject("torch", f"torch.{one['op']} computes on {one['elements']} elements: this is the kernels' work", one["line"])

    def _origins(self, look: Look, call: Call, right: Expected, given: list[Bits], state: list[Bits]) -> None:
        """Results that neither a kernel of this call made nor an input holds."""
        facts = call.facts
        for i, origin in enumerate(facts["origins"]):
            if origin == "earlier" and i < len(right.own):
                text = f"{look.name}: output {i} comes from an earlier call"
                self.reject("state", text, shown=self.witness(look, text, given, state, call.obtained.outputs))
            if origin == "torch" and self.options.torch == "glue" and i < len(right.own) and right.own[i].is_float and right.own[i].numbers().size:
                self.reject("torch", f"no kernel makes output {i}: ops of torch compute it from the inputs")
            if origin == "mixed" and self.options.torch == "glue" and i < len(right.own) and not self.mixed:
                self.mixed = f"ops of torch that compute from the inputs make a part of output {i}"
            if origin == "host" and self.options.torch == "glue" and i < len(right.own) and right.own[i].numbers().size:
                self.reject("torch", f"no kernel makes output {i}: the host program does")
        if facts["threads"]:
            self.reject("state", f"threads run on after the call: {', '.join(facts['threads'][:3])}")

    def _share(self, facts: dict[str, Any], largest: int) -> float:
        """Torch's part of the reference's flops, by ops on large tensors, without glue."""
        whole = sum(one["flops"] for one in self.sides.reference_ops)
        own = sum(one["flops"] for one in facts["ops"] if one["elements"] * 4 > largest and one["op"].removesuffix("_") not in work.REDUCING)
        return float(own / whole) if whole else 0.0

    def errors_of(self, facts: dict[str, Any]) -> list[dict[str, Any]]:
        """The findings that reject; those of lanes are kept for the end."""
        for one in facts["findings"]:
            if one["code"].startswith("LS40") and not self.lanes:
                self.lanes.append(Undecided("lanes", f"{one['kernel']}: {one['message']} [{one['code']}]", one["line"]))
        return [one for one in facts["findings"] if one["tier"] == "error" and one["code"][:3] in _CODES]

    @staticmethod
    def class_of(found: dict[str, Any]) -> str:
        return _CODES[found["code"][:3]]

    def _findings(self, look: Look, call: Call, given: list[Bits], state: list[Bits]) -> None:
        for one in self.errors_of(call.facts):
            text = f"{look.name}: {one['kernel']}: {one['message']} [{one['code']}]"
            self.reject(look.kind or self.class_of(one), text, one["line"], self.witness(look, text, given, state, call.obtained.outputs), [one])

    def _ignored(self, look: Look, call: Call, given: list[Bits], state: list[Bits]) -> str:
        """An input or a parameter that the reference reacts to and the candidate does not; "": there is none."""
        loaded = look.loaded
        right = self.sides.expected(loaded, given, state)
        for i in range(min(len(given) + len(state), MOST_CHANGED)):
            if i < len(given):
                others = [one.draws[2] if k == i else old for k, (one, old) in enumerate(zip(loaded.domains, given, strict=True))]
                plan, name = (others, state), f"input {i}"
            else:
                k = i - len(given)
                name = loaded.names[k]
                new = inputs.new_state(name, state[k], self.rng)
                plan, name = (given, [new if at == k else old for at, old in enumerate(state)]), f"`{name}`"
            changed = self.sides.expected(loaded, *plan)
            if right is None or changed is None or are_equal(changed.own, right.own):
                continue
            try:
                now = self.sides.run(loaded, [("state", plan[1]), ("new", plan[0])])[0]
            except (Raised, Rejected):
                continue
            if are_equal(now.obtained.outputs, call.obtained.outputs):
                return name
        return ""

    def _difference(self, found: Difference, look: Look, call: Call, given: list[Bits], state: list[Bits]) -> None:
        kind = found.kind
        outputs = call.obtained.outputs
        findings = self.errors_of(call.facts)
        codes = {one["code"] for one in call.facts["findings"]}
        if look.kind:
            kind = look.kind
        elif findings:
            kind = _CODES[findings[0]["code"][:3]]
        elif codes & UNWRITTEN and kind in ("values", "function"):
            kind = "unwritten"
        elif kind in ("values", "function") and _are_finite(outputs) and (ignored := self._ignored(look, call, given, state)):
            kind = "dependence"
            found.message = f"{ignored} has no effect; {found.message}"
        text = f"{look.name}: {found.message}"
        line = findings[0]["line"] if findings else 0
        self.reject(kind, text, line, self.witness(look, text, given, state, outputs), findings)
