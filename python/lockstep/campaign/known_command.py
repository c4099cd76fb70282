"""lockstep campaign known STATE [-o FILE] [--known FILE]: lists unknown failures as entries without reasons."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lockstep.campaign import known as knowns
from lockstep.campaign.command_line import parse
from lockstep.campaign.origins import print_note
from lockstep.campaign.problems import UsageError
from lockstep.campaign.report.gather import failures, kernels_of, variation_of
from lockstep.campaign.state import State

_MOST_VALUES = 4  # of an axis that an entry names
_MOST_KERNELS = 3  # that an entry without a code names
_NUMBERS = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")


@dataclass
class _Group:
    """Cases that one entry would match."""

    cases: list[str] = field(default_factory=list)
    variations: list[dict[str, str]] = field(default_factory=list)
    message: str = ""  # of the first


def main(words: list[str]) -> int:
    """Raises UsageError, StateError, PlanError."""
    positional, given = parse(words[1:], {"-o": "output", "--output": "output", "--known": "known"}, {})
    if len(positional) != 1:
        raise UsageError("usage: lockstep campaign known STATE [--known FILE] [-o FILE]")
    with State(positional[0], writes=False) as state:
        print_note(state)
        groups = _groups(state, knowns.of_state(state, given.get("known", "")))
    text = "\n".join(_entry(key, group) for key, group in groups.items())
    if "output" not in given:
        sys.stdout.write(text)
        return 0
    try:
        with Path(given["output"]).open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{given['output']}: {error.strerror}") from None
    print(f"{len(groups)} entries: {given['output']}; give each a reason")
    return 0


def _groups(state: State, known: knowns.Known | None) -> dict[tuple[Any, ...], _Group]:
    groups: dict[tuple[Any, ...], _Group] = {}
    for case, result in knowns.rows(state, "verdict != 'pass'"):
        for trouble in failures(case, result):
            if known is not None and known.reason(case, result, trouble):
                continue
            varied = variation_of(case)
            group = groups.setdefault(_key(case, result, trouble, varied), _Group(message=trouble["message"]))
            if group.cases[-1:] != [result["id"]]:
                group.cases.append(result["id"])
                group.variations.append(varied)
    return dict(sorted(groups.items()))


def _key(case: Mapping[str, Any], result: Mapping[str, Any], trouble: Mapping[str, Any], varied: Iterable[str]) -> tuple[Any, ...]:
    """(verdict, code, kernels, file, message, axes): the message only of what could not be judged, and without its numbers; axes
    where no code tells one trouble from another."""
    verdict = result["verdict"]
    if trouble["code"]:
        return verdict, trouble["code"], (trouble["kernel"],), trouble["file"], "", ()
    if verdict in ("refused", "error"):
        return verdict, "", (), "", _NUMBERS.sub("*", _literal(trouble["message"])), tuple(varied)
    return verdict, "", tuple(kernels_of(case, result)[:_MOST_KERNELS]), "", "", tuple(varied)


def _literal(text: str) -> str:
    """A pattern that matches the text."""
    return text.replace("[", "?").replace("]", "?").replace("*", "?")


def _entry(key: tuple[Any, ...], group: _Group) -> str:
    verdict, code, kernels, file, message, _ = key
    kernel = [_literal(one) for one in kernels]  # a test's name where nothing was launched: its parameters stand in brackets
    said: dict[str, str | list[str]] = {"verdict": "" if verdict == "finding" else verdict, "code": code, "kernel": kernel, "file": _literal(file), "message": message}
    lines = [f"{name} = {_toml(value)}" for name, value in said.items() if value]
    varied = _varied(group.variations)
    if varied:
        lines.append("vary = { " + ", ".join(f"{axis} = {_toml(values)}" for axis, values in varied.items()) + " }")
    count = f"{len(group.cases)} case{'' if len(group.cases) == 1 else 's'}"
    first = " ".join(group.message.split())
    return "\n".join([f"# {count}, first {group.cases[0]}: {first}", "[[known]]", *lines, 'reason = ""']) + "\n"


def _varied(variations: Iterable[Mapping[str, str]]) -> dict[str, list[str]]:
    """Axes that all of the cases vary, with their values; an axis is left out where it has too many values, or where a case does not vary it."""
    every = list(variations)
    axes = set.intersection(*(set(one) for one in every))
    found = {axis: sorted({one[axis] for one in every}) for axis in sorted(axes)}
    return {axis: [_literal(value) for value in values] for axis, values in found.items() if len(values) <= _MOST_VALUES}


def _toml(value: str | list[str]) -> str:
    """A JSON string is a TOML string, except for characters beyond ASCII that JSON escapes as surrogates."""
    if isinstance(value, list):
        return _toml(value[0]) if len(value) == 1 else "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
