"""What sources of recorded things and suites share: which part of many takes part, and what a case launched."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

SHARE = Key((int, float), "the part that takes part, chosen by names: 0.1")


def fraction(name: str) -> float:
    """A number in [0, 1) that follows from the name alone, as good as drawn."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big") / 2**48


def launched(seen: Iterable[LaunchReport]) -> dict[str, dict[str, int]]:
    """The kernels of these launches, each with how many they were: what a case covers."""
    counts = Counter(one.kernel for one in seen)
    return {name: {"launches": count} for name, count in sorted(counts.items())}
