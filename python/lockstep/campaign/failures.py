"""What failed, for the terminal: cases that fail alike as one, the values of axes that tell them from those that pass, and the
command that comes next (docs/campaigns.md, "What is printed")."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lockstep.campaign.report.gather import alike, failures, kernels_of, variation_of

if TYPE_CHECKING:
    from lockstep.campaign.known import Known
    from lockstep.campaign.state import State

MOST_GROUPS = 10
_MOST_AXES = 2  # of a group
_MOST_VALUES = 12  # of an axis that are named one by one
_MOST_TEXT = 160
_SHRINKABLE = ("finding", "mismatch")


@dataclass
class Axis:
    """How the cases of one kernel fared at each value of an axis: value -> (failed, all)."""

    name: str
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def tells(self) -> int:
        """How many cases its values sort correctly; 0 where every value has failing cases, or none has."""
        if all(failed for failed, _ in self.counts.values()):
            return 0
        return sum(max(failed, every - failed) for failed, every in self.counts.values())

    def __str__(self) -> str:
        groups: dict[str, list[str]] = defaultdict(list)
        totals: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for value, (failed, every) in sorted(self.counts.items(), key=lambda one: (-one[1][0] / one[1][1], _order(one[0]))):
            kind = "none" if not failed else "all" if failed == every else value
            groups[kind].append(value)
            totals[kind] = [totals[kind][0] + failed, totals[kind][1] + every]
        parts = [f"{_listed(values)}: {totals[kind][0]} of {totals[kind][1]}" for kind, values in groups.items()]
        return f"{self.name} {'; '.join(parts)}"


@dataclass
class Group:
    """Cases that failed in the same way."""

    verdict: str
    kernel: str
    what: list[str]  # places of findings, or the message
    cases: list[str]
    every: int = 0  # cases of the kernel that were judged
    axes: list[Axis] = field(default_factory=list)

    def lines(self, state: str) -> list[str]:
        head = f"{self.kernel}: {self.verdict} in {len(self.cases):,} of {self.every:,} case{'' if self.every == 1 else 's'}"
        told = [one for one in sorted(self.axes, key=lambda one: -one.tells) if one.tells][:_MOST_AXES]
        command = "shrink" if self.verdict in _SHRINKABLE else "case"
        return [head, *(f"  {one}" for one in told), *(f"  {one}" for one in self.what),
                f"  next: lockstep campaign {command} {state} {min(self.cases)}"]  # fmt: skip


def groups_of(state: State, known: Known | None = None) -> list[Group]:
    """The failures of current results, except known ones; those with most cases first."""
    found: dict[tuple[str, ...], tuple[str, list[str]]] = {}
    judged: dict[str, list[tuple[str, dict[str, str]]]] = defaultdict(list)
    for case_text, result_text, _ in state.results():
        case, result = json.loads(case_text), json.loads(result_text)
        varied = variation_of(case)
        for kernel in kernels_of(case, result):
            judged[kernel].append((result["id"], varied))
        if result["verdict"] == "pass":
            continue
        for trouble in failures(case, result):
            if known is not None and known.reason(case, result, trouble):
                continue
            key = (result["verdict"], trouble["kernel"], trouble["code"], trouble["file"], str(trouble["line"]), "" if trouble["code"] else alike(result["verdict"], trouble["message"]))
            cases = found.setdefault(key, (_said(trouble), []))[1]
            cases += [result["id"]] if cases[-1:] != [result["id"]] else []
    joined: dict[tuple[str, str, tuple[str, ...]], Group] = {}
    for (verdict, kernel, *_), (what, cases) in found.items():
        group = joined.setdefault((verdict, kernel, tuple(cases)), Group(verdict, kernel, [], cases))
        group.what.append(what)
    for group in joined.values():
        _count(group, [one for kernel in group.kernel.split(", ") for one in judged.get(kernel, ())])
    return sorted(joined.values(), key=lambda one: (-len(one.cases), one.kernel, one.what))


def _said(trouble: Mapping[str, Any]) -> str:
    message = " ".join(trouble["message"].split())
    message = message if len(message) <= _MOST_TEXT else message[: _MOST_TEXT - 3] + "..."
    if not trouble["code"]:
        return message
    return f"{trouble['code']} {trouble['file']}:{trouble['line']}: {message}"


def _count(group: Group, judged: Iterable[tuple[str, dict[str, str]]]) -> None:
    every = dict(judged)  # a case once, whatever it launched
    failed = set(group.cases)
    group.every = len(every.keys() | failed)
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for key, varied in every.items():
        for axis, value in varied.items():
            counts[axis][value][0] += key in failed
            counts[axis][value][1] += 1
    group.axes = [Axis(name, {value: (a, b) for value, (a, b) in values.items()}) for name, values in sorted(counts.items()) if len(values) > 1]


def _order(value: str) -> tuple[int, float, str]:
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0.0, value


def _listed(values: list[str]) -> str:
    more = f", and {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else ""
    return ", ".join(values[:_MOST_VALUES]) + more


def text_of(state: State, known: Known | None = None) -> str:
    """"" where every failure is known."""
    groups = groups_of(state, known)
    if not groups:
        return ""
    lines: list[str] = []
    for group in groups[:MOST_GROUPS]:
        lines += ["", *group.lines(str(state.path))]
    if len(groups) > MOST_GROUPS:
        lines += ["", f"and {len(groups) - MOST_GROUPS} more ways to go wrong"]
    return "\n".join([*lines, "", f"see the whole report as a page: lockstep campaign report {state.path} --html report.html"])
