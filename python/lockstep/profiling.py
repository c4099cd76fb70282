"""Where the time of kernels goes: `with lockstep.profile() as times:` measures all launches inside.

Invariant: measuring changes no result. The profiles of launches of one kernel are added up as they come, so that a long
training loop needs no more memory than one launch. What is measured and how it is shown is the engine's."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep import collectors

if TYPE_CHECKING:
    import os

    from lockstep._native import LaunchReport, Profile

_MAX_SLICES = 200_000  # of a trace over all launches


class Profiles:
    """The profiles of the launches of a block, by kernel. str() is the text of the command line, kernel by kernel."""

    def __init__(self) -> None:
        self._sums: dict[str, Profile] = {}
        self._lock = threading.Lock()

    def add(self, report: LaunchReport) -> None:
        """An observer of launches (settings.add_observer)."""
        from lockstep import _native

        one = report.profile
        if one is None:
            return
        with self._lock:
            known = self._sums.get(one.kernel)
            self._sums[one.kernel] = one if known is None else _native.join_profiles([known, one], _MAX_SLICES)

    @property
    def kernels(self) -> dict[str, Profile]:
        """The sum of each kernel's launches, the one with the most time first."""
        with self._lock:
            return dict(sorted(self._sums.items(), key=lambda item: -item[1].seconds))

    def _repr_html_(self) -> str:
        from lockstep.notebooks import html_views

        return html_views.profiles(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(str(self) or "no launch")

    def __str__(self) -> str:
        return "\n".join(profile.text() for profile in self.kernels.values())

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Writes trace events for Perfetto (ui.perfetto.dev) or chrome://tracing: needs `profile(trace=True)`.

        Raises ValueError where no launch was measured step by step."""
        from lockstep import _native

        sums = sorted(self.kernels.values(), key=lambda profile: profile.kernel)
        if not any(profile.slices for profile in sums):
            raise ValueError("no launch was measured step by step: use lockstep.profile(trace=True)")
        Path(path).write_text(_native.join_profiles(sums, _MAX_SLICES).trace(), encoding="utf-8")


@contextlib.contextmanager
def profile(trace: bool = False) -> Iterator[Profiles]:
    """Measures all launches inside the block, of all threads. `trace`: step by step too, for `save_trace`.

    >>> import lockstep
    >>> with lockstep.profile() as times:
    ...     pass  # launches
    >>> times.kernels
    {}
    """
    with collectors.gather(Profiles(), profile="trace" if trace else True) as profiles:
        yield profiles


def show_at_exit() -> None:
    """For LOCKSTEP_PROFILE: the profiles of the whole process, on standard error."""
    collectors.show_at_exit(Profiles())
