"""Smaller points of a campaign's axes: a case is made again from its plan's texts, so that what the plan derives stays derived
(`BLOCK = "{next_power_of_2(columns)}"` is true of every candidate)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lockstep.campaign.case import canonical
from lockstep.campaign.plan import ENGINE_OPTIONS, SCHEDULE_AXES, Entry, Plan
from lockstep.campaign.problems import PlanError

_KINDS = ("kernel", "call")  # whose cases are their points and the plan's texts, and nothing that was listed


@dataclass(frozen=True)
class Derived:
    """A case as a point of the axes of one [[run]]."""

    entry: Entry
    point: Mapping[str, Any]

    @property
    def case(self) -> dict[str, Any] | None:
        """None where the plan has no such case: `where` excludes the point, or a text of the plan has no value for it."""
        try:
            return self.entry.case_at(self.point)
        except PlanError:
            return None

    @property
    def has_numbers(self) -> bool:
        """Whether there is an axis along which a case becomes smaller."""
        return any(_is_number(value) for name, value in self.point.items() if not _is_engine(name) and name != "seed")

    def smaller(self) -> Iterator[Derived]:
        """What to try next, the largest steps first."""
        for name in (*SCHEDULE_AXES, *ENGINE_OPTIONS, "seed"):
            if self.point.get(name):
                yield self._without(name)
        for name in self.point:
            if not _is_engine(name) and name != "seed":
                yield self._without(name)  # no case where a text needs it
                yield from (Derived(self.entry, {**self.point, name: value}) for value in self._below(name))

    def _without(self, name: str) -> Derived:
        return Derived(self.entry, {key: value for key, value in self.point.items() if key != name})

    def _below(self, name: str) -> list[Any]:
        value, listed = self.point[name], self.entry.axes.get(name, [])
        if not _is_number(value):
            return listed[: listed.index(value)] if value in listed else []
        if value > 2 and all(_is_number(one) and one > 0 and one & (one - 1) == 0 for one in [value, *listed]):
            return [1 << power for power in range(value.bit_length() - 1)]  # an axis of powers of two stays one
        return steps(value)

    def told(self, before: Derived) -> str:
        """What became smaller, for people."""
        names = [name for name in before.point if self.point.get(name) != before.point[name]]
        return ", ".join(f"{name} {before.point[name]} → {self.point[name]}" if name in self.point else f"no {name}" for name in names)


def derived(plan: Plan, case: Mapping[str, Any]) -> Derived | None:
    """The point of a case; None for a case that no [[run]] of the plan makes, and for sources that list things."""
    for entry in plan.entries:
        if entry.kind in _KINDS:
            found = Derived(entry, _point_of(entry, case))
            made = found.case
            if made is not None and canonical(made) == canonical(case):
                return found
    return None


def _point_of(entry: Entry, case: Mapping[str, Any]) -> dict[str, Any]:
    known = {**case["vary"], **case["options"], **{name: case["schedule"][key] for name, key in SCHEDULE_AXES.items()}}
    return {name: known[name] for name in entry.axes if name in known}


def _is_engine(name: str) -> bool:
    return name in ENGINE_OPTIONS or name in SCHEDULE_AXES


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def steps(number: int) -> list[int]:
    """Smaller numbers to try for one, the smallest first."""
    return sorted({one for one in (1, 2, number // 4, number // 2, number - 16, number - 1) if 0 < one < number})
