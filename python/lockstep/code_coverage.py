"""What of kernels' sources launches have shown: `with lockstep.coverage() as seen:` looks at all launches inside.

Invariant: looking changes no result, and the order of launches none of what is said. Sets only: memory grows with the sources,
not with the launches. What is noted and how it is shown is the engine's."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lockstep import collectors

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

Files = dict[str, dict[str, dict[Any, Any]]]  # as LaunchReport.coverage


class Coverage:
    """Lines, branch outcomes and mask outcomes of the launches of a block. str() is what the command line prints, kernel by
    kernel."""

    def __init__(self) -> None:
        self._kernels: dict[str, Files] = {}
        self._lock = threading.Lock()

    def add(self, report: LaunchReport) -> None:
        """An observer of launches (settings.add_observer)."""
        if not report.coverage:
            return
        with self._lock:
            known = self._kernels.setdefault(report.kernel, {})
            for file, one in report.coverage.items():
                _unite(known.setdefault(file, {"lines": {}, "branches": {}, "masks": {}}), one)

    @property
    def kernels(self) -> dict[str, Files]:
        """The coverage of each kernel, by name: file -> "lines", "branches", "masks" as in LaunchReport.coverage."""
        with self._lock:
            return dict(sorted(self._kernels.items()))

    def _repr_html_(self) -> str:
        from lockstep.notebooks import html_views

        return html_views.coverage(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(str(self) or "no launch")

    def __str__(self) -> str:
        from lockstep import _native

        return "\n".join(f"{name}: {_native.coverage_text([files])}" for name, files in self.kernels.items())


def _unite(known: dict[str, dict[Any, Any]], one: dict[str, dict[Any, Any]]) -> None:
    for line, ran in one["lines"].items():
        known["lines"][line] = known["lines"].get(line, False) or ran
    for sides in ("branches", "masks"):
        for place, (kind, first, second) in one[sides].items():
            _, once_first, once_second = known[sides].get(place, (kind, False, False))
            known[sides][place] = (kind, first or once_first, second or once_second)


@contextlib.contextmanager
def coverage() -> Iterator[Coverage]:
    """Looks at all launches inside the block, of all threads.

    >>> import lockstep
    >>> with lockstep.coverage() as seen:
    ...     pass  # launches
    >>> seen.kernels
    {}
    """
    with collectors.gather(Coverage(), cover=True) as seen:
        yield seen


def show_at_exit() -> None:
    """For LOCKSTEP_COVER: the coverage of the whole process, on standard error."""
    collectors.show_at_exit(Coverage())
