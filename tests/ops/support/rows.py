"""What the rows say (`lockstep ops --json`): which ops exist, which can run, and how exact each is."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass

from support import runner
from support.case import Exact, Ulp


@dataclass(frozen=True)
class Row:
    spelling: str
    evaluates: bool
    kind: str = "exact"  # exact, ulp, by_length
    ulp: float = 0
    gpu_ulp: float = 0

    def bound(self):
        """How near Lockstep must be to the reference."""
        return Ulp(self.ulp) if self.kind == "ulp" and self.ulp > 0 else Exact()

    def gpu_bound(self):
        """How near Lockstep must be to the GPU's recorded answer."""
        return Ulp(self.ulp + self.gpu_ulp) if self.ulp + self.gpu_ulp > 0 else Exact()


@functools.cache
def rows() -> dict[str, Row]:
    """Rows by spelling; empty if the program has no `ops` command."""
    done = runner.call(["ops", "--json"])
    if done.returncode != 0:
        return {}
    found = {}
    listed = json.loads(done.stdout)
    for entry in listed["ops"] if isinstance(listed, dict) else listed:
        bound = entry.get("bound") or {}
        bound = bound if isinstance(bound, dict) else {"kind": bound}
        spelling = entry.get("op") or entry.get("spelling") or entry["name"]
        merged = {**entry, **bound}
        found[spelling] = Row(
            spelling,
            bool(entry.get("evaluates", entry.get("evaluate", True))),
            merged.get("kind", "exact"),
            float(merged.get("ulp", 0) or 0),
            float(merged.get("gpu_ulp", 0) or 0),
        )
    return found


def row(spelling: str) -> Row:
    return rows().get(spelling, Row(spelling, True))


def file_stem(spelling: str) -> str:
    """arith.addf -> arith_addf."""
    return spelling.replace(".", "_")
