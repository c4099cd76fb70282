"""Plain copies of the engine's reports, findings and diagnostics, for pickling: what a worker process sends back.

Invariant: a copy has the same attribute names and values as the native object, and needs no native code to be read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar


@dataclass(frozen=True)
class DiagnosticCopy:
    """See _native.Diagnostic."""

    code: str
    severity: str
    message: str
    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class FindingCopy:
    """See _native.Finding."""

    code: str
    tier: str
    message: str
    file: str
    line: int
    column: int
    op: str
    program: tuple[int, int, int]
    lane: tuple[int, ...]
    loops: list[tuple[str, int, int, int]]
    argument: str
    element: int
    count: int
    programs: int
    notes: list[tuple[str, str, int]]
    hint: str
    text: str


@dataclass(frozen=True)
class ReportCopy:
    """See _native.LaunchReport."""

    kernel: str
    outcome: str
    grid: tuple[int, int, int]
    programs_run: int
    programs_total: int
    finished: list[tuple[int, int]]
    seconds: float
    bytes_read: int
    bytes_written: int
    scratch_bytes: int
    threads: int
    checkers: dict[str, str]
    left_out: tuple[str, ...]
    schedules: int
    findings: list[FindingCopy]
    silenced: list[FindingCopy]
    has_errors: bool
    rolled_back: bool
    coverage: dict[str, dict[str, dict[Any, Any]]] | None = None
    real: dict[str, Any] | None = None

    def program_id(self, number: int) -> tuple[int, int, int]:
        """The id of a program number, x fastest."""
        x, y, _ = self.grid
        return number % x, number // x % y, number // (x * y)


_Copy = TypeVar("_Copy", DiagnosticCopy, FindingCopy)


def _copy(kind: type[_Copy], native: Any) -> _Copy:
    return kind(**{field.name: getattr(native, field.name) for field in fields(kind)})


def as_is(copy: Any) -> Any:
    """The pickler of the engine's objects: they arrive as their copies."""
    return copy


def copy_diagnostic(native: Any) -> DiagnosticCopy:
    return _copy(DiagnosticCopy, native)


def copy_finding(native: Any) -> FindingCopy:
    return _copy(FindingCopy, native)


def copy_report(native: Any) -> ReportCopy:
    values = {field.name: getattr(native, field.name) for field in fields(ReportCopy)}
    for name in ("findings", "silenced"):
        values[name] = [copy_finding(one) for one in values[name]]
    return ReportCopy(**values)
