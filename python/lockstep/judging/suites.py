"""A task that is a pytest suite: its tests run in a process of their own and say whether what the candidate gives is right; beside that,
what they hold results against is computed in f64, too, and compared as a reference is. The checkers judge each call.

Invariants: the candidate's process has no test and no expected value; a test that breaks for reasons of its own rejects nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lockstep.judging import JudgeError, processes, suite_witness
from lockstep.judging.compare import Expected, Obtained, compare
from lockstep.judging.decide import Look, are_equal
from lockstep.judging.sides import Call, How, Loaded, Raised, Stopped
from lockstep.judging.tensors import Bits, from_head
from lockstep.judging.verdict import Undecided

if TYPE_CHECKING:
    from lockstep.judging.decide import Decider
    from lockstep.judging.looks import Looks
    from lockstep.judging.sides import Sides

EMPTY = ["l", []]
# : Changes of the numbers that tests draw from a normal distribution (suite_run.VALUES).
VALUES = ("plus 8", "times 30", "times 0.001", "negative", "all equal", "ties", "an outlier")


@dataclass
class Asked:
    """A call that a test made. made: None where it raised."""

    test: str
    function: str
    given: list[Bits]
    made: Call | None
    message: dict[str, Any]  # as the tests' process sent it
    raised: Raised | None = None


@dataclass
class Told:
    """What a run of the tests tells. checks: of each call and result, "checked", and the expected numbers in their type and in f64."""

    name: str
    how: dict[str, Any]  # "shift", "values"
    asked: list[Asked]
    tests: list[dict[str, Any]]
    checks: list[tuple[dict[str, Any], Bits | None, Bits | None]]


def _how(message: dict[str, Any], other: How) -> How:
    layouts = [f"strides {' '.join(map(str, one))}" if one else "" for one in message["strides"]]
    return How(layouts, other.options, other.disguise, 1, message["function"], message["grid"], message["same"])


def _is_other(one: Asked, two: Asked) -> bool:
    """Arguments of the same shapes, of which one has other numbers, and other results."""
    if one.made is None or two.made is None or one.message["tensors"] != two.message["tensors"]:
        return False
    results = one.made.obtained.outputs, two.made.obtained.outputs
    return any(a.data != b.data for a, b in zip(one.given, two.given, strict=True)) and not are_equal(*results)


class Suite:
    """The tests of one judgement."""

    def __init__(self, sides: Sides, decider: Decider, looks: Looks, task: dict[str, Any]) -> None:
        self.sides, self.decider, self.looks, self.task = sides, decider, looks, task
        self.compared = 0
        self._asked: list[Asked] = []  # of the run that goes on
        self._how: dict[str, Any] = {}
        self._known: dict[str, list[Asked]] = {}  # calls that tests passed, by function
        self._unseen: dict[str, str] = {}  # arguments that a function changes, by its name; "": some check looks at them
        self._checked: dict[str, bool] = {}  # by function: some check holds a result of it against something
        self._launches: dict[str, int] = {}

    def look(self) -> None:
        """All runs. Raises Done, Rejected, Stopped."""
        sides = self.sides
        self.loaded = Loaded({}, EMPTY, EMPTY, [], [])
        sides.load_candidate(self.loaded, {"kind": "module", "name": self.task["module"]})
        sides.ask_reference({"kind": "suite", "task": self.task, "attributes": sides.attributes})
        self._tests("the tests", {})
        self._tests("the tests with other numbers", {"shift": 1})
        self._tests("the tests with other numbers again", {"shift": 2})
        for name in VALUES:
            self._values(name)
        self._histories()
        self._tests("the tests where nothing shows Lockstep", {}, How(disguise=True), "sniffing")
        for number in range(1, min(sides.configurations, 12)):
            self._tests(f"the tests with configuration {number}", {}, How(options={"config": number}), "configuration")
            self.looks.configurations += 1
        for target in self.decider.options.targets or ("sm_80", "sm_100"):
            self._tests(f"the tests as {target}", {}, How(options={"target": target}), "configuration")
            self.looks.targets.append(target)
        self._tests("the tests in other orders of programs", {}, How(options={"schedules": 4, "real": False}), "race")
        self.looks.schedules = 4
        self._sum_up()

    # ---- a run ----

    def _tests(self, name: str, how: dict[str, Any], other: How | None = None, kind: str = "") -> None:
        told = self._run(name, how, other or How(), is_alike=True, is_wide=other is None)
        for row in told.tests:
            if row["outcome"] not in ("passed", "skipped"):
                self._failed(told, row, kind)
        if not any(row["outcome"] == "passed" for row in told.tests):
            raise Stopped("tests", "none of the tests runs here" if told.tests else "there are no tests")
        if other is None:
            self._compare(told, kind)
            for one in told.asked:
                self._known.setdefault(one.function, []).append(one)

    def _values(self, name: str) -> None:
        """The tests' own bounds do not hold for these numbers; their references do."""
        self._compare(self._run(f"the tests with normal numbers {name}", {"values": name}, How(), is_alike=False), "")

    def _run(self, name: str, how: dict[str, Any], other: How, is_alike: bool, is_wide: bool = True) -> Told:
        reference = self.sides.reference
        asked = self._asked = []
        self._how = how
        look = Look(self.loaded, name)
        try:
            reference.send({"kind": "tests", "shift": how.get("shift", 0), "values": how.get("values", ""), "alike": is_alike, "wide": is_wide})
            while True:
                message, blocks = reference.answer()
                if message["kind"] != "asked":
                    break
                reference.send(*self._answer(look, message, blocks, other, asked))
        except processes.Gone as error:
            if str(error) == "late":
                raise Stopped("limit", "the tests have no answer in time", is_late=True) from error
            raise JudgeError(f"the process of the tests is {error}: {reference.output()[-400:]}", 2) from error
        if message["kind"] == "raised":
            raise JudgeError(f"the tests cannot be run: {message['type']}: {message['text']}", 2)
        if message["cannot"]:
            raise Stopped("tests", message["cannot"])
        self.looks.inputs += len(asked)
        left = iter(blocks)
        made = [asked_ for asked_ in asked if asked_.made is not None]
        checks = []
        for one in message["checks"]:
            pair = [from_head(one[key], next(left)) if one[key] else None for key in ("own", "wide")]
            checks.append((one, pair[0], pair[1]))
        if message["wide"]:
            self.decider.weak.append(f"the tests have no run in f64: {message['wide']}")
        return Told(name, how, made, message["tests"], checks)

    def _answer(
        self, look: Look, message: dict[str, Any], blocks: list[bytes], other: How, asked: list[Asked]
    ) -> tuple[dict[str, Any], list[bytes]]:
        """The candidate's call, as the tests get it."""
        given = [from_head(head, data) for head, data in zip(message["tensors"], blocks, strict=True)]
        try:
            (call,) = self.sides.run(Loaded({}, EMPTY, message["nest"], [], []), [("new", given)], _how(message, other))
        except Raised as raised:
            asked.append(Asked(message["test"], message["function"], given, None, message, raised))
            return {"kind": "raised", "type": raised.type, "text": raised.text}, []
        one = Asked(message["test"], message["function"], given, call, message)
        asked.append(one)
        self._judge(look, one, call)
        facts, outputs = call.facts, call.obtained.outputs
        heads = [bits.head() for bits in outputs]
        return {"kind": "obtained", "value": facts["value"], "alias": facts["alias"], "changed": facts["changed"], "tensors": heads}, [
            bits.data for bits in outputs]

    def _judge(self, look: Look, asked: Asked, call: Call) -> None:
        """What needs no reference: types, work, memory, findings."""
        facts, decider, name = call.facts, self.decider, asked.function
        self._launches[name] = self._launches.get(name, 0) + len(facts["launches"])
        if any(one not in ("Tensor", "Parameter") for one in facts["types"]):
            decider.reject("type", f"{name} returns {', '.join(facts['types'])}, not plain tensors")
        if facts["launches"]:
            decider.judge_work(facts, asked.given, call.obtained.outputs, True)
            if facts["origins"] and "kernel" not in facts["origins"] and decider.options.torch == "glue":
                decider.reject("torch", f"no kernel makes a result of {name}: ops of torch do")
        if facts["threads"]:
            decider.reject("state", f"threads run on after the call: {', '.join(facts['threads'][:3])}")
        for i, origin in enumerate(facts["origins"][: len(facts["alias"])]):
            if origin == "mixed" and not decider.mixed:
                decider.mixed = f"ops of torch that compute from the inputs make a part of result {i} of {name}"
            if origin == "earlier" and facts["alias"][i] < 0:
                text = f"{look.name}: result {i} of {name} comes from an earlier call"
                decider.reject("state", text, shown=self._witness(self._so_far(look), asked, text))
        for one in decider.errors_of(facts):
            text = f"{look.name}: {one['kernel']}: {one['message']} [{one['code']}]"
            decider.reject(decider.class_of(one), text, one["line"], self._witness(self._so_far(look), asked, text), [one])

    # ---- histories ----

    def _histories(self) -> None:
        """Calls of the tests again, in the same and in new tensors: each result is what it was, and stays."""
        for name, calls in self._known.items():
            pairs = [(one, two) for one in calls for two in calls if one.message["nest"] == two.message["nest"] and _is_other(one, two)]
            for one, two in pairs[:1]:
                self._history(name, one, two)

    def _history(self, name: str, one: Asked, two: Asked) -> None:
        order = [one, two, one, two, one, two, one, one]
        kinds = ["new", "copy", "new", "new", "copy", "new", "new", "new"]
        calls = self.sides.run(
            Loaded({}, EMPTY, one.message["nest"], [], []), [(kind, asked.given) for kind, asked in zip(kinds, order, strict=True)], _how(one.message, How()))
        self.looks.histories.append(f"{name}, x and y in turns")
        for k, (call, asked) in enumerate(zip(calls, order, strict=True)):
            assert asked.made is not None
            self._asked = [Asked(asked.test, name, asked.given, call, asked.message)]
            look = Look(self.loaded, f"{name}, x and y in turns, call {k + 1} of {len(calls)}", "state")
            if not are_equal(call.obtained.outputs, asked.made.obtained.outputs):
                text = f"{look.name}: the result is another than in the tests"
                self.decider.reject("state", text, shown=self._witness(self._so_far(look), self._asked[0], text))
            for end, first, is_input in zip(call.ends, call.obtained.outputs, call.facts["is_input"], strict=True):
                if end.data != first.data and not is_input:
                    text = f"{look.name}: the result changes after it was returned: its storage is used again, or it comes late"
                    self._asked[0].made = Call(Obtained(call.ends, call.obtained.real), call.ends, call.facts)
                    self.decider.reject("state", text, shown=self._witness(self._so_far(look), self._asked[0], text))

    def _so_far(self, look: Look) -> Told:
        return Told(look.name, self._how, [one for one in self._asked if one.made is not None], [], [])

    # ---- what it means ----

    def _failed(self, told: Told, row: dict[str, Any], kind: str) -> None:
        name, text = row["name"], row["text"].strip() or "it fails"
        if row["outcome"] == "not collected":
            if "cannot import name" in text or f"module '{self.task['module']}' has no attribute" in text:
                self.decider.reject("no result", f"the tests cannot import what they test: {text.splitlines()[-1]}")
            errors = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
            raise JudgeError(f"{name} cannot be collected: {errors[-1] if errors else text}", 2)
        of_test = [one for one in told.asked if one.test == name]
        raised = next((one.raised for one in self._asked if one.test == name and one.raised), None)
        message = f"{told.name}: {name}: {text.splitlines()[0][:300]}"
        if raised is not None:
            if raised.type == "NotImplementedError" or "not supported" in raised.text:
                raise Stopped("not supported", str(raised))
            self.decider.reject(kind or "no result", message, raised.line)
        if not text.startswith(("AssertionError", "assert ")) or not of_test:
            raise Stopped("tests", message)
        self.decider.reject(kind or "values", message, shown=self._witness(told, of_test[-1], message))

    def _compare(self, told: Told, kind: str) -> None:
        """What the tests expect in f64, against what the candidate's numbers are without rounding."""
        decider = self.decider
        for check, own, wide in told.checks:
            asked = told.asked[check["call"]]
            assert asked.made is not None
            got, i = asked.made.obtained.outputs[check["result"]], check["result"]
            self._seen(asked, i, check["checked"])
            if own is None or wide is None or not got.is_float or not got.numbers().size:
                continue
            expected = Expected([got.with_numbers(own.numbers().reshape(got.shape))], [Bits("float64", got.shape, wide.data)])
            if wide.dtype != "float64" or not expected.is_meaningful():
                continue
            facts = asked.made.facts
            tf32 = any(one["code"] == "LS605" for one in facts["findings"]) and decider.options.precision == "tf32"
            largest = max([float(abs(one.numbers()).max(initial=0.0)) for one in asked.given if one.is_float], default=0.0)
            obtained = Obtained([got], [asked.made.obtained.real[i]])
            self.compared += 1
            found = compare(expected, obtained, tf32, largest, facts["narrow"] or tf32)
            if found is None:
                continue
            text = f"{told.name}: {asked.test}: {asked.function}: {found.message.replace('output 0', f'result {i}')}"
            if found.kind == "unsure":
                decider.weak_function = decider.weak_function or text
            elif found.kind == "less accurate":
                decider.weak.append(text)
            else:
                decider.reject(kind or found.kind, text, shown=self._witness(told, asked, text))

    def _seen(self, asked: Asked, i: int, is_checked: bool) -> None:
        assert asked.made is not None
        name, facts = asked.function, asked.made.facts
        self._checked[name] = self._checked.get(name, False) or is_checked
        at = i - len(facts["alias"])
        if at >= 0:
            self._unseen[name] = "" if is_checked else self._unseen.get(name, f"input {facts['changed'][at]}")

    def _sum_up(self) -> None:
        """What the tests leave open."""
        verdict = self.decider.verdict
        for name, count in sorted(self._launches.items()):
            if not count and (self._checked.get(name) or self.task.get("is_oracle")) and self.decider.options.torch == "glue":
                self.decider.reject("torch", f"{name} launches no kernel: the host program computes its result")
        tested = [name for name, count in self._launches.items() if count]
        if not self.task.get("is_oracle") and not any(self._checked.get(name) for name in tested):
            verdict.undecided.append(Undecided("tests", f"no check of the tests holds a result of {', '.join(tested) or 'the candidate'} against anything"))
        for name in tested:
            if self._unseen.get(name) and not self.task.get("is_oracle"):
                verdict.undecided.append(Undecided("mutation", f"{name} changes {self._unseen[name]}, and no check of the tests looks at it"))
        if not self.compared:
            verdict.notes.append("results were compared by the tests alone: what they expect was not found in f64")

    def _witness(self, told: Told, asked: Asked, message: str) -> str:
        calls = []
        for one in told.asked:
            if one.test == asked.test and one.made is not None:
                facts = one.made.facts
                heads = [bits.head() for bits in one.made.obtained.outputs]
                calls.append(({"function": one.function, "value": facts["value"], "alias": facts["alias"], "changed": facts["changed"], "outputs": heads,
                               "inputs": [bits.head() for bits in one.given]}, one.given, one.made.obtained.outputs))
        facts = {"message": message, "test": asked.test, "task": self.task, "how": told.how, "seed": self.decider.verdict.seed}
        names = {name: ["function"] if one[0] == "function" else one for name, one in self.sides.attributes.items()}
        return suite_witness.write(
            self.decider.verdict.witnesses, (self.sides.path, self.sides.texts[0]), facts | {"attributes": names}, calls)
