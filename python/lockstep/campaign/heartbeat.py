"""A plugin of pytest (`-p lockstep.campaign.heartbeat`): writes the name of the running test to the file LOCKSTEP_HEARTBEAT."""

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
    """Whether a session wrote there that it reached its end."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read() == _END
    except OSError:
        return False
