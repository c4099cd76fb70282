"""Smaller cases: less varied, then smaller numbers, as long as the same failure is seen.

What counts as the same failure is `Failure`: the verdict, and of a finding its codes by kernel. Places and numbers may change."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


@dataclass(frozen=True)
class Failure:
    """What must stay while a case shrinks."""

    verdict: str
    codes: frozenset[tuple[str, str]]  # (code, kernel) of errors

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> Failure:
        is_finding = result["verdict"] == "finding"
        found = {(one["code"], one["kernel"]) for one in result["findings"] if one["tier"] == "error"} if is_finding else set()
        return cls(result["verdict"], frozenset(found))

    def is_in(self, result: Mapping[str, Any]) -> bool:
        """A finding stays if one of its codes does, in the same kernel."""
        other = Failure.of(result)
        return other.verdict == self.verdict and (not self.codes or bool(self.codes & other.codes))


Run = Callable[[dict[str, Any]], Mapping[str, Any]]


def shrunk(case: dict[str, Any], run: Run, failure: Failure, most: int = 300) -> tuple[dict[str, Any], int]:
    """The smallest case that was found, and how many were run. Greedy: what fails alike is kept at once."""
    tried: set[str] = set()
    count = 0
    progress = True
    while progress and count < most:
        progress = False
        for candidate in _smaller(case):
            mark = json.dumps(candidate, sort_keys=True)
            if mark in tried:
                continue
            tried.add(mark)
            count += 1
            if failure.is_in(run(candidate)):
                case, progress = candidate, True
                break
            if count >= most:
                break
    return case, count


def _with(case: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**case, **changes}


def _smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What to try next, the largest steps first."""
    if case["schedule"] != {"number": 0, "seed": 0}:
        yield _with(case, schedule={"number": 0, "seed": 0})
    for name in case["options"]:
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


def steps(number: int) -> list[int]:
    """Smaller numbers to try for one, the smallest first."""
    return sorted({one for one in (1, 2, number // 4, number // 2, number - 16, number - 1) if 0 < one < number})


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
    """A number is made smaller wherever the arguments and the grid say it: sizes and strides go together."""
    texts = {"grid": str(source["grid"]), **{f"={name}": text for name, text in source["arguments"].items()}}
    numbers = {int(one) for text in texts.values() for one in _NUMBER.findall(text)}
    for number in sorted(numbers, reverse=True):
        for one in steps(number):
            other = {name: _replaced(text, number, one) for name, text in texts.items()}
            yield {**source, "grid": other["grid"],
                   "arguments": {name[1:]: text for name, text in other.items() if name[0] == "="}}  # fmt: skip


def _replaced(text: str, number: int, other: int) -> str:
    return _NUMBER.sub(lambda match: str(other) if int(match[0]) == number else match[0], text)
