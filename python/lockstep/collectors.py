"""What launches together showed: an observer that gathers, for a block or for the whole process. What it gathers and how that
reads is its own."""

from __future__ import annotations

import atexit
import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from lockstep import settings

if TYPE_CHECKING:
    from lockstep._native import LaunchReport


class Gathered(Protocol):
    def add(self, report: LaunchReport) -> None:
        """An observer of launches (settings.add_observer)."""


_Any = TypeVar("_Any", bound=Gathered)


@contextlib.contextmanager
def gather(gathered: _Any, **options: Any) -> Iterator[_Any]:
    """Gives all launches inside the block, in all threads, these options, and adds them."""
    with settings.options(**options):
        settings.add_observer(gathered.add)
        try:
            yield gathered
        finally:
            settings.remove_observer(gathered.add)


def show_at_exit(gathered: Gathered) -> None:
    """Adds all launches of the process; prints the text on standard error at the end."""
    settings.add_observer(gathered.add)
    atexit.register(_show, gathered)


def _show(gathered: Gathered) -> None:
    text = str(gathered)
    if text and sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # closed
            sys.stderr.write(text)
