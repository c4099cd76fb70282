"""Starting, asking and ending the two processes. Invariant: a process that dies, says nothing or too much is a Gone with a word
for why, and none lives on after close()."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

import lockstep
from lockstep.judging import wire


class Gone(Exception):
    """The process has no answer: "late", "gone", "no message", "too large"."""


_KEPT = ("PATH", "LD_LIBRARY_PATH", "LOCKSTEP_THREADS", "VIRTUAL_ENV", "LANG", "CC", "CUDA_HOME")


def _environment(folder: str) -> dict[str, str]:
    """Nothing of the caller's but what finding programs and libraries needs."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(lockstep.__file__)))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        "HOME": folder, "TMPDIR": folder, "PYTHONPATH": package, "PYTHONDONTWRITEBYTECODE": "1", "LOCKSTEP_PROGRESS": "0",
        "TRITON_CACHE_DIR": os.path.join(folder, "cache"), "OMP_NUM_THREADS": "2",
    }


def _limits() -> None:
    """In the child, before it becomes Python."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


class Process:
    """One of the two."""

    def __init__(self, words: list[str], until: float) -> None:
        self.folder = tempfile.mkdtemp(prefix="lockstep-")
        self.until = until
        there, self._target = os.pipe()
        self._source, back = os.pipe()
        command = [sys.executable, *words, str(there), str(back)]
        with open(os.path.join(self.folder, "output.txt"), "wb") as output:
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=_environment(self.folder), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                pass_fds=(there, back), preexec_fn=_limits)
        os.close(there)
        os.close(back)

    def ask(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> tuple[dict[str, Any], list[bytes]]:
        self.send(message, blocks)
        return self.answer()

    def send(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> None:
        try:
            wire.send(self._target, message, blocks)
        except wire.WireError as error:
            raise Gone(str(error)) from error

    def answer(self) -> tuple[dict[str, Any], list[bytes]]:
        try:
            return wire.receive(self._source, self.until)
        except wire.WireError as error:
            raise Gone(str(error)) from error

    def output(self) -> str:
        """The last of what it printed."""
        with contextlib.suppress(OSError), open(os.path.join(self.folder, "output.txt"), "rb") as file:
            return file.read()[-2000:].decode("utf-8", "replace")
        return ""

    def close(self) -> None:
        """Ends the process and all that it started in its session."""
        for descriptor in (self._source, self._target):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(min(1.0, max(self.until - time.monotonic(), 0.1)))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def reference_process(until: float) -> Process:
    return Process(["-m", "lockstep.judging.reference_side"], until)


def candidate_process(until: float) -> Process:
    return Process(["-m", "lockstep", "-m", "lockstep.judging.candidate_side"], until)
