"""Shared by the sources of recordings and suites: the choice of a part, and the launches of a case."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

SHARE = Key((int, float), "the share that takes part, chosen by names: 0.1")


def fraction(name: str) -> float:
    """A number in [0, 1) that follows from the name alone, as good as random."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big") / 2**48


def launched(seen: Iterable[LaunchReport]) -> dict[str, dict[str, int]]:
    """The kernels of these launches, each with its number of launches: what a case covers."""
    counts = Counter(one.kernel for one in seen)
    return {name: {"launches": count} for name, count in sorted(counts.items())}
