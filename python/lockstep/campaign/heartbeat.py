"""A plugin of pytest (`-p lockstep.campaign.heartbeat`): which test runs, in the file that LOCKSTEP_HEARTBEAT names."""

from __future__ import annotations

import os

VARIABLE = "LOCKSTEP_HEARTBEAT"
_END = "the session's end"


def _write(text: str) -> None:
    path = os.environ.get(VARIABLE)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def pytest_runtest_logstart(nodeid: str) -> None:
    _write(nodeid)


def pytest_sessionfinish() -> None:
    _write(_END)


def has_ended(path: str) -> bool:
    """Whether a session wrote there that it came to its end."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read() == _END
    except OSError:
        return False
