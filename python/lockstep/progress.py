"""Progress of a long launch on the terminal: a bar, programs done, time left; nothing for launches under a second.

Invariant: writes to standard error only, only where that is a terminal (or where the user asked for it), and leaves an
empty line behind. It does not decide how often it is called: the engine does, a few times a second."""

from __future__ import annotations

import sys
from collections.abc import Callable

_QUIET_SECONDS = 1.0
_WIDTH = 30


def callback(wish: bool | Callable[[int, int, float], None] | None) -> Callable[[int, int, float], None] | None:
    """The engine's callback: the user's function, the terminal's line, or None."""
    if callable(wish):
        return wish
    if wish is False or (wish is None and not _is_terminal()):
        return None
    return show


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # closed
        return False


_is_drawn = False


def show(done: int, total: int, seconds: float) -> None:
    """Draws the line, or clears it once all programs are done."""
    global _is_drawn
    if done >= total:
        clear()
    elif seconds >= _QUIET_SECONDS and sys.stderr is not None:
        _is_drawn = True
        sys.stderr.write("\r\x1b[K" + line(done, total, seconds))
        sys.stderr.flush()


def clear() -> None:
    """Removes the line if one is there."""
    global _is_drawn
    if _is_drawn and sys.stderr is not None:
        _is_drawn = False
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def line(done: int, total: int, seconds: float) -> str:
    """One line of at most 80 characters.

    >>> line(250, 1000, 2.0)
    '[#######-----------------------]  25 %  250 of 1,000 programs, 6 s left'
    """
    share = min(done / max(total, 1), 1.0)
    filled = int(share * _WIDTH)
    text = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {int(share * 100):3d} %  {done:,} of {total:,} programs"
    if done == 0:
        return text
    left = seconds * (total - done) / done
    return text + (f", {left:.0f} s left" if left < 120 else f", {left / 60:.0f} min left")
