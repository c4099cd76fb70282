"""What the judge says: accepted, rejected with reasons, or not decided with what would decide it; as text and as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

ACCEPTED, REJECTED, UNDECIDED = "accepted", "rejected", "not decided"
EXIT_CODES = {ACCEPTED: 0, REJECTED: 1, UNDECIDED: 4}


@dataclass
class Reason:
    """Why a candidate is rejected."""

    kind: str  # "values", "function", "state", ...: "class" in JSON
    message: str
    line: int = 0
    witness: str = ""  # the folder's name
    findings: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self, file: str) -> dict[str, Any]:
        return {
            "class": self.kind, "message": self.message, "file": file, "line": self.line, "witness": self.witness,
            "findings": self.findings}


@dataclass
class Undecided:
    """What prevents an answer."""

    what: str
    why: str
    line: int = 0


@dataclass
class Verdict:
    """The answer for one candidate."""

    reference: str
    candidate: str
    seed: int
    digests: tuple[str, str] = ("", "")
    reasons: list[Reason] = field(default_factory=list)
    undecided: list[Undecided] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    covered: dict[str, Any] = field(default_factory=dict)
    work: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    witnesses: str = "lockstep-witness"
    is_late: bool = False

    @property
    def verdict(self) -> str:
        return REJECTED if self.reasons else UNDECIDED if self.undecided else ACCEPTED

    @property
    def accepted(self) -> bool:
        return self.verdict == ACCEPTED

    @property
    def exit_code(self) -> int:
        return 5 if self.verdict == UNDECIDED and self.is_late else EXIT_CODES[self.verdict]

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": "lockstep-verdict", "version": 1, "verdict": self.verdict,
            "reference": {"file": self.reference, "sha256": self.digests[0]},
            "candidate": {"file": self.candidate, "sha256": self.digests[1]}, "seed": self.seed,
            "reasons": [one.to_dict(self.candidate) for one in self.reasons],
            "undecided": [{"what": one.what, "why": one.why, "file": self.candidate, "line": one.line} for one in self.undecided],
            "notes": self.notes, "assumed": self.assumed, "covered": self.covered, "work": self.work,
            "seconds": round(self.seconds, 2)}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=1)

    def __str__(self) -> str:
        lines = []
        kinds = f" ({self.reasons[0].kind})" if self.reasons else f" ({self.undecided[0].what})" if self.undecided else ""
        lines.append(f"{self.candidate}: {self.verdict}{kinds}")
        for reason in self.reasons:
            place = f"  {self.candidate}:{reason.line}: " if reason.line else "  "
            lines.append(place + reason.message)
            if reason.witness:
                folder = f"{self.witnesses}/{reason.witness}"
                lines.append(f"  witness: {folder}; replay: python {folder}/replay.py")
        for one in self.undecided:
            lines.append(f"  {f'{self.candidate}:{one.line}: ' if one.line else ''}{one.what}: {one.why}")
        lines += [f"  note: {one}" for one in self.notes]
        lines += [f"  assumed: {', '.join(self.assumed)}"] if self.assumed else []
        covered = self.covered
        lines.append(
            f"  checked: {len(covered.get('shapes', []))} shapes, {covered.get('inputs', 0)} inputs, "
            f"{len(covered.get('histories', []))} histories, {covered.get('configurations', 1)} configurations, "
            f"seed {self.seed}; {self.seconds:.1f} s")
        return "\n".join(lines)
