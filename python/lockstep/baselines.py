"""Baselines: files of findings that do not count, which `lockstep run --report baseline=FILE` or the option
update_baseline writes.

Invariant: one file is one native object for the process, so that what was added to it once is known from then on. Which
findings a baseline knows is decided by the engine (findings/silence.h)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep.errors import OptionError

if TYPE_CHECKING:
    from lockstep._native import Baseline

_loaded: dict[tuple[str, bool], Baseline] = {}


def checked(value: Any, *, must_exist: bool) -> str:
    """The absolute path of a baseline, "" for none. Raises OptionError if the file is unreadable or not a baseline."""
    if value is None or value == "":
        return ""
    if not isinstance(value, (str, os.PathLike)):
        raise OptionError("must be the path of a file")
    path = os.path.abspath(value)
    _read(path, must_exist=must_exist)
    return path


def load(path: str, *, grows: bool) -> Baseline | None:
    """The baseline of a path that `checked` returned; None for ""."""
    if not path:
        return None
    if (path, grows) not in _loaded:
        _loaded[path, grows] = _read(path, must_exist=not grows, grows=grows)
    return _loaded[path, grows]


def _read(path: str, *, must_exist: bool, grows: bool = False) -> Baseline:
    from lockstep import _native

    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        if must_exist:
            raise OptionError("must be an existing file") from None
        text = ""
    except OSError as error:
        raise OptionError(f"must be a readable file ({error.strerror})") from None
    try:
        return _native.Baseline(path, text, grows)
    except ValueError as error:
        raise OptionError(f"must be a baseline: {error}") from None
