"""How a kernel's numbers moved between two campaigns: cases whose results are farther from their reference, and cases that
leave other bytes. The same case leaves the same bytes on every machine, so that a change of the code moved them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_TIMES = 2.0  # farther than that many times the distance of before
_LEAST = {"share of the tolerance": 0.02, "ULP": 1.0, "absolute": 0.0}  # and by more than this
_NAMES = 3


@dataclass(frozen=True)
class Left:
    """What a case left."""

    kernels: tuple[str, ...]
    outputs: Mapping[str, str]  # name -> SHA-256
    distance: float | None  # from the reference
    measured: str  # in what


@dataclass
class Farther:
    """Cases of the same kernels that moved away from their reference."""

    kernels: str
    measured: str
    cases: list[str] = field(default_factory=list)
    before: float = 0.0  # the worst of these cases
    now: float = 0.0


def left_by(result: Mapping[str, Any], kernels: Iterable[str], distance: float | None, measured: str) -> Left:
    return Left(tuple(kernels), result.get("outputs") or {}, distance, measured)


def is_farther(before: Left, now: Left) -> bool:
    if before.distance is None or now.distance is None or before.measured != now.measured:
        return False
    return now.distance > _TIMES * before.distance and now.distance - before.distance > _LEAST.get(now.measured, 0.0)


def farther(before: Mapping[str, Left], now: Mapping[str, Left]) -> list[Farther]:
    """By kernels, most cases first."""
    found: dict[tuple[str, ...], Farther] = {}
    for name in sorted(before.keys() & now.keys()):
        old, new = before[name], now[name]
        if old.distance is not None and new.distance is not None and is_farther(old, new):
            one = found.setdefault(new.kernels, Farther(_named(new.kernels), new.measured))
            one.cases.append(name)
            one.before, one.now = max(one.before, old.distance), max(one.now, new.distance)
    return sorted(found.values(), key=lambda one: (-len(one.cases), one.kernels))


def other_bytes(before: Mapping[str, Left], now: Mapping[str, Left]) -> list[tuple[str, int]]:
    """Kernels, and how many of their cases give different bytes; most cases first."""
    counts: dict[tuple[str, ...], int] = {}
    for name in before.keys() & now.keys():
        if before[name].outputs and now[name].outputs and before[name].outputs != now[name].outputs:
            counts[now[name].kernels] = counts.get(now[name].kernels, 0) + 1
    return sorted(((_named(kernels), count) for kernels, count in counts.items()), key=lambda one: (-one[1], one[0]))


def _named(kernels: tuple[str, ...]) -> str:
    more = f" and {len(kernels) - _NAMES} more" if len(kernels) > _NAMES else ""
    return ", ".join(kernels[:_NAMES]) + more
