"""Waiting for a process that runs a suite's tests: never silently for long, and never without an end.

It reports what it waits for after a minute, then each time after twice as long. At the end the process is asked for the stacks
of its threads (faulthandler, SIGABRT), which say where it stands."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from lockstep.campaign.problems import Stuck

PATIENCE = 600.0  # seconds without a sign of life
_NOTE = 60.0  # before the first word
_POLL = 0.2
_LAST_WORDS = 10.0  # to write the stacks

Sign = Callable[[], tuple[str, float]]  # what it does, and for how many seconds already


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """For such a process: prints stacks where it is ended, and stops threads of libraries from spinning on busy cores."""
    return {"OMP_WAIT_POLICY": "PASSIVE", **given, "PYTHONFAULTHANDLER": "1"}


def wait(process: subprocess.Popen[bytes], sign: Sign, patience: float | None = None) -> int:
    """The exit code. Raises Stuck, and ends the process, where `sign` shows no progress for so many seconds."""
    limit = PATIENCE if patience is None else patience
    last, told = "", _NOTE
    while (code := process.poll()) is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_POLL)
        doing, seconds = sign()
        told = told if doing == last else _NOTE
        last = doing
        if seconds >= limit:
            _end(process)
            raise Stuck(f"{doing}: nothing new for {seconds:.0f} s, so it was ended; the stacks of its threads show where it was")
        if seconds >= told:
            print(f"lockstep: {doing} for {seconds:.0f} s", file=sys.stderr, flush=True)
            told *= 2
    return code


def since(start: float, doing: str) -> Sign:
    """The sign of a process that gives none."""
    return lambda: (doing, time.monotonic() - start)


def of_file(path: str, doing: str) -> Sign:
    """The sign of a process that writes its progress into a file (heartbeat.py)."""
    start = time.time()

    def sign() -> tuple[str, float]:
        try:
            with open(path, encoding="utf-8") as file:
                test = file.read().strip()
            return f"{doing} {test}" if test else doing, time.time() - os.stat(path).st_mtime
        except OSError:
            return f"{doing} tests to be collected", time.time() - start

    return sign


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGABRT)
    try:
        process.wait(_LAST_WORDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
