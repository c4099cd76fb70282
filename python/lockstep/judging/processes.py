"""Starting, asking and ending the processes of references and candidates. Invariant: a process that dies, says nothing or too much is
a Gone with a word for why, and none lives on after close(), nor does one that it started."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any

import lockstep
from lockstep.judging import isolation, wire


class Gone(Exception):
    """The process has no answer: "late", "gone", "no message", "too large"."""


_KEPT = ("PATH", "LD_LIBRARY_PATH", "LOCKSTEP_THREADS", "VIRTUAL_ENV", "LANG", "CC", "CUDA_HOME")
# : Modules that take seconds to import, and that start no thread: a zygote imports them once, for programs that name them.
PRELOADED = ("torch._inductor.async_compile", "torch._inductor.select_algorithm", "torch._inductor.runtime.triton_heuristics")
# : Bytes that a candidate may ask for beyond what Python, torch and Triton have.
MEMORY = 16 << 30


def _environment(folder: str) -> dict[str, str]:
    """Nothing of the caller's but what finding programs and libraries needs."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(lockstep.__file__)))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    folders = dict.fromkeys([package, *(os.path.dirname(one) for one in isolation.packages())])
    return kept | {
        "HOME": folder, "TMPDIR": folder, "PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": "1", "LOCKSTEP_PROGRESS": "0",
        "TRITON_CACHE_DIR": os.path.join(folder, "cache"), "OMP_NUM_THREADS": "2", "TORCHINDUCTOR_COMPILE_THREADS": "1",
    }


class Zygote:
    """A process with everything imported, which forks others. `kind`: "reference", "candidate"."""

    def __init__(self, kind: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="lockstep-")
        self._socket, theirs = socket.socketpair()
        words = ["-m", "lockstep"] if kind == "candidate" else []
        command = [sys.executable, *words, "-m", "lockstep.judging.zygote", kind, str(theirs.fileno())]
        self._output = os.path.join(self.folder, "output.txt")
        with open(self._output, "wb") as output:
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=_environment(self.folder), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                pass_fds=(theirs.fileno(),), start_new_session=True)
        theirs.close()
        self._behind = b""

    def ask(self, asked: dict[str, Any], descriptors: tuple[int, int, int]) -> None:
        try:
            socket.send_fds(self._socket, [json.dumps(asked).encode()], descriptors)
        except OSError as error:
            raise Gone(f"gone: {self.output()}") from error

    def answer(self, until: float) -> dict[str, Any]:
        """The next one. Raises Gone."""
        while b"\n" not in self._behind:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._socket], [], [], left)[0]:
                raise Gone("late")
            part = self._socket.recv(4096)
            if not part:
                raise Gone(f"gone: {self.output()}")
            self._behind += part
        line, _, self._behind = self._behind.partition(b"\n")
        return dict(json.loads(line))

    def output(self) -> str:
        with contextlib.suppress(OSError), open(self._output, "rb") as file:
            return file.read()[-600:].decode("utf-8", "replace")
        return ""

    def close(self) -> None:
        self._socket.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pool:
    """The zygotes of one or many judgements; a context. They are started when first asked for, both at once."""

    def __init__(self) -> None:
        self._zygotes: dict[str, Zygote] = {}

    def __enter__(self) -> Pool:
        for kind in ("candidate", "reference"):
            if kind not in self._zygotes:
                self._zygotes[kind] = Zygote(kind)
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._zygotes.values():
            one.close()
        self._zygotes.clear()

    def process(self, kind: str, until: float, text: str = "") -> Process:
        """text: of the program that it will load; what of torch's own it imports at length is then there before."""
        return Process(self._zygotes[kind], until, [one for one in PRELOADED if one in text])


class Process:
    """One of a reference or a candidate."""

    def __init__(self, zygote: Zygote, until: float, preloaded: list[str]) -> None:
        self.folder = tempfile.mkdtemp(prefix="lockstep-")
        self.until = until
        self._zygote = zygote
        self._facts: dict[str, Any] | None = None
        there, self._target = os.pipe()
        self._source, back = os.pipe()
        try:
            with open(self._output(), "wb") as output:
                zygote.ask({"folder": self.folder, "memory": MEMORY, "preloaded": preloaded}, (there, back, output.fileno()))
        finally:
            os.close(there)
            os.close(back)

    def _output(self) -> str:
        return os.path.join(self.folder, "output.txt")

    def facts(self) -> dict[str, Any]:
        """Its process id and what isolates it ("had"). Raises Gone."""
        if self._facts is None:
            self._facts = self._zygote.answer(self.until)
        return self._facts

    def ask(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> tuple[dict[str, Any], list[bytes]]:
        self.send(message, blocks)
        return self.answer()

    def send(self, message: dict[str, Any], blocks: list[bytes] | None = None) -> None:
        self.facts()
        try:
            wire.send(self._target, message, blocks, self.until)
        except wire.WireError as error:
            raise Gone(str(error)) from error

    def answer(self) -> tuple[dict[str, Any], list[bytes]]:
        try:
            return wire.receive(self._source, self.until)
        except wire.WireError as error:
            raise Gone(str(error)) from error

    def output(self) -> str:
        """The last of what it printed."""
        with contextlib.suppress(OSError), open(self._output(), "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - 2000, 0))
            return file.read().decode("utf-8", "replace")
        return ""

    def close(self) -> None:
        """Ends the process and all that it started."""
        for descriptor in (self._source, self._target):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        with contextlib.suppress(Gone):
            self.until = max(self.until, time.monotonic() + 5)
            facts = self.facts()
            for pid in (facts["init"], facts["pid"]):
                if pid:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(facts["pid"], signal.SIGKILL)
            self._wait_for_end(facts["pid"])
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_for_end(self, pid: int) -> None:
        until = time.monotonic() + 2
        while time.monotonic() < until:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.005)
