"""Smaller cases: less varied, then smaller numbers, as long as they fail in the same way.

Where the plan derives a case from its axes, the axes are what becomes smaller (points.py); else numbers that the case says
itself. What counts as the same failure is `Failure`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lockstep.campaign.report.gather import alike
from lockstep.campaign.shrink.points import steps

if TYPE_CHECKING:
    from lockstep.campaign.shrink.points import Derived

_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_JUDGES = ("rtol", "atol", "fail_on")  # options that say what fails
MOST = 300  # cases that are tried


@dataclass(frozen=True)
class Failure:
    """What must stay while a case shrinks: the verdict; of findings code, place and op; of wrong results which outputs are wrong
    and how (not stored, NaN, infinite, another value), or what was said of them."""

    verdict: str
    findings: frozenset[tuple[Any, ...]] = frozenset()  # (code, kernel, file, line, op) of errors
    wrong: frozenset[tuple[str, str]] = frozenset()  # (output, how)
    said: str = ""

    @classmethod
    def of(cls, result: Mapping[str, Any], fail_on: str = "error") -> Failure:
        tiers = ("error",) if fail_on == "error" else ("error", "warning")
        if result["verdict"] == "finding":
            found = {tuple(one.get(key, "") for key in ("code", "kernel", "file", "line", "op"))
                     for one in result["findings"] if one["tier"] in tiers}  # fmt: skip
            return cls("finding", frozenset(found))
        wrong = {(name, kind) for name, one in (result.get("error") or {}).items() for kind in one.get("kinds", ())}
        said = re.split(r"[(\[{]", alike(result["verdict"], result.get("message", "")))[0]
        return cls(result["verdict"], frozenset(), frozenset(wrong), "" if wrong else said)

    def is_in(self, other: Failure) -> bool:
        """One of the findings must be the same; a wrong result must be wrong in no other way."""
        if other.verdict != self.verdict or other.said != self.said:
            return False
        if self.verdict == "finding":
            return bool(self.findings & other.findings)
        return other.wrong <= self.wrong and bool(other.wrong) == bool(self.wrong)

    @property
    def places(self) -> set[tuple[Any, ...]]:
        """(code, line, op) of findings, as a launch of the kernel alone shows them."""
        return {(code, line, op) for code, _, _, line, op in self.findings}


Run = Callable[[dict[str, Any]], Mapping[str, Any]]


class Search:
    """Greedy: keeps each smaller case that fails alike at once."""

    def __init__(self, run: Run, failure: Failure, most: int = MOST) -> None:
        self._run, self._failure, self._most = run, failure, most
        self._tried: set[str] = set()

    @property
    def count(self) -> int:
        return len(self._tried)

    def fails(self, case: dict[str, Any]) -> bool:
        """False for a case that was tried before, and after enough tries."""
        mark = json.dumps(case, sort_keys=True)
        if mark in self._tried or self.count >= self._most:
            return False
        self._tried.add(mark)
        return self._failure.is_in(Failure.of(self._run(case), case["options"].get("fail_on", "error")))

    def along_axes(self, point: Derived) -> Derived:
        """The smallest failing point of the plan's axes that was found."""
        while (smaller := next((one for one in point.smaller() if (case := one.case) is not None and self.fails(case)), None)) is not None:
            point = smaller
        return point

    def by_numbers(self, case: dict[str, Any]) -> dict[str, Any]:
        """The smallest failing case that was found by replacing a number everywhere in the case."""
        while (smaller := next((one for one in _smaller(case) if self.fails(one)), None)) is not None:
            case = smaller
        return case


def _with(case: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**case, **changes}


def _smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What to try next, the largest steps first."""
    if case["schedule"] != {"number": 0, "seed": 0}:
        yield _with(case, schedule={"number": 0, "seed": 0})
    for name in [name for name in case["options"] if name not in _JUDGES]:
        yield _with(case, options={key: value for key, value in case["options"].items() if key != name})
    for name in case["vary"]:
        yield _with(case, vary={key: value for key, value in case["vary"].items() if key != name})
    if case["source"]["kind"] == "kernel":
        for source in _smaller_kernel(case["source"]):
            yield _with(case, source=source)
    elif case["source"]["kind"] == "call":
        for kwargs in _smaller_arguments(case["source"]["kwargs"]):
            yield _with(case, source={**case["source"], "kwargs": kwargs})
    elif isinstance(case["vary"].get("sizes"), Mapping):
        for sizes in _smaller_sizes(case["vary"]["sizes"]):
            yield _with(case, vary={**case["vary"], "sizes": sizes})


def _smaller_sizes(sizes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    for name in sizes:
        yield {key: value for key, value in sizes.items() if key != name}
        for one in steps(sizes[name]):
            if str(one) != name:
                yield {**sizes, name: one}


def _smaller_arguments(kwargs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in kwargs.items():
        if isinstance(value, int) and not isinstance(value, bool) and value > 1:
            for one in steps(value):
                yield {**kwargs, name: one}


def _smaller_kernel(source: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Makes a number smaller wherever the arguments and the grid contain it: sizes and strides change together."""
    texts = {"grid": str(source["grid"]), **{f"={name}": text for name, text in source["arguments"].items()}}
    numbers = {int(one) for text in texts.values() for one in _NUMBER.findall(text)}
    for number in sorted(numbers, reverse=True):
        for one in steps(number):
            other = {name: _replaced(text, number, one) for name, text in texts.items()}
            yield {**source, "grid": other["grid"],
                   "arguments": {name[1:]: text for name, text in other.items() if name[0] == "="}}  # fmt: skip


def _replaced(text: str, number: int, other: int) -> str:
    return _NUMBER.sub(lambda match: str(other) if int(match[0]) == number else match[0], text)
