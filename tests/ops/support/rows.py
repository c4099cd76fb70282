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
    kind: str  # exact, ulp, by_length
    ulp: float
    gpu_ulp: float

    def bound(self):
        """How near Lockstep must be to the reference."""
        return Ulp(self.ulp) if self.kind == "ulp" and self.ulp > 0 else Exact()


@functools.cache
def rows() -> dict[str, Row]:
    """Rows by spelling."""
    done = runner.call(["ops", "--json"])
    assert done.returncode == 0, done.stderr
    return {
        entry["name"]: Row(entry["name"], entry["evaluates"], entry["bound"]["kind"], entry["bound"]["ulp"], entry["bound"]["gpu_ulp"])
        for entry in json.loads(done.stdout)["ops"]
    }


def row(spelling: str) -> Row:
    return rows()[spelling]


def file_stem(spelling: str) -> str:
    """arith.addf -> arith_addf."""
    return spelling.replace(".", "_")
