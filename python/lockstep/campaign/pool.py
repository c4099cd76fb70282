"""Worker processes and their limits: cases go in, results come out; a process that dies or hangs is a result, and replaced.

One thread, no locks: `submit` while `wants()`, and `poll` for what is done. Invariants: every case that was submitted comes back
once, as a Result, or is in `unfinished()`; the case to blame for a worker's end is the one it was running, those behind it are
run by another. A case is a crash when it ended a worker twice (something else may have ended the first), or three times if
SIGKILL or SIGTERM ended them, as a user or the lack of memory does."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep import settings
from lockstep.campaign.case import canonical
from lockstep.campaign.state import Result
from lockstep.campaign.worker import log_mark

if TYPE_CHECKING:
    from typing_extensions import Self

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_ENDS_FROM_OUTSIDE, _ENDS = 3, 2  # of workers by one case, before it is a crash
_FIRST_CASE_SECONDS = 60.0  # a fresh worker imports what the case needs
_AHEAD_SECONDS, _MOST_AHEAD = 0.05, 32  # how much work a worker has waiting, so that it never waits for us
_MOST_LOG, _MOST_UNREAD = 4000, 1 << 18
_READ = 1 << 16


@dataclass(frozen=True)
class Config:
    """The settings that every worker receives."""

    root: Path
    seconds: float  # of one case
    memory: int  # bytes of one case
    coverage: bool = False  # of lines, branches and masks is noted
    path: tuple[str, ...] = ()  # folders for sys.path


@dataclass
class Waiting:
    """A case that is not done."""

    id: str
    text: str
    ends: int = 0  # of workers that it ended
    ends_from_outside: int = 0


@dataclass
class _Worker:
    name: str
    process: subprocess.Popen[bytes]
    requests: int  # file descriptors
    answers: int
    log: int
    scratch: str
    queue: deque[Waiting] = field(default_factory=deque)
    outgoing: bytearray = field(default_factory=bytearray)
    incoming: bytearray = field(default_factory=bytearray)
    printed: bytearray = field(default_factory=bytearray)
    began: float = 0.0  # the case in front
    done: int = 0
    was_killed: bool = False  # by us: out of time


class Pool:
    """`jobs` workers. close() ends them; use as a context manager."""

    def __init__(self, config: Config, jobs: int, *, prefix: str = "") -> None:
        self.config, self.jobs, self._prefix = config, jobs, prefix
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._again: deque[Waiting] = deque()  # cases of workers that ended
        self._number = 0
        self._mean = 0.01  # seconds of a case, of late

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wants(self) -> bool:
        """Whether a worker would otherwise run out of cases."""
        if self._again:
            return False
        return len(self._workers) < self.jobs or min(len(one.queue) for one in self._workers) < self._ahead()

    def unfinished(self) -> int:
        return len(self._again) + sum(len(one.queue) for one in self._workers)

    def processes(self) -> list[int]:
        """The process ids of the workers, for tests that end them."""
        return [one.process.pid for one in self._workers]

    def submit(self, key: str, text: str) -> None:
        self._give(Waiting(key, text))

    def poll(self, timeout: float) -> list[Result]:
        """The finished cases; waits at most so many seconds for the first."""
        while self._again:
            self._give(self._again.popleft())
        results: list[Result] = []
        for key, _ in self._selector.select(self._patience(timeout)):
            worker, kind = key.data
            if worker in self._workers:
                self._serve(worker, kind, results)
        self._end_late_ones(results)
        return results

    def close(self) -> None:
        """Ends the workers; drops unfinished cases."""
        for worker in list(self._workers):
            worker.process.kill()
            self._remove(worker)
        self._selector.close()

    # ---- giving ----

    def _ahead(self) -> int:
        return min(_MOST_AHEAD, 1 + int(_AHEAD_SECONDS / max(self._mean, 1e-4)))

    def _give(self, case: Waiting) -> None:
        if len(self._workers) < self.jobs:
            self._start()
        worker = min(self._workers, key=lambda one: len(one.queue))
        if not worker.queue:
            worker.began = time.monotonic()
        worker.queue.append(case)
        self._send(worker, f'{{"id":"{case.id}","case":{case.text}}}\n'.encode())

    def _send(self, worker: _Worker, data: bytes) -> None:
        was_empty = not worker.outgoing
        worker.outgoing += data
        if was_empty:
            self._selector.register(worker.requests, selectors.EVENT_WRITE, (worker, "requests"))

    def _start(self) -> None:
        self._number += 1
        request_read, request_write = os.pipe()
        answer_read, answer_write = os.pipe()
        log_read, log_write = os.pipe()
        scratch = tempfile.mkdtemp(prefix="lockstep-campaign-")
        words = [sys.executable, "-m", "lockstep.campaign.worker", str(request_read), str(answer_write)]
        try:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log_write, stderr=log_write, cwd=self.config.root,
                                       env=environment(), pass_fds=(request_read, answer_write))  # fmt: skip
        finally:
            for descriptor in (request_read, answer_write, log_write):
                os.close(descriptor)
        worker = _Worker(f"{self._prefix}{self._number}", process, request_write, answer_read, log_read, scratch)
        for descriptor in (request_write, answer_read, log_read):
            os.set_blocking(descriptor, False)
        self._selector.register(answer_read, selectors.EVENT_READ, (worker, "answers"))
        self._selector.register(log_read, selectors.EVENT_READ, (worker, "log"))
        self._workers.append(worker)
        first = {"root": str(self.config.root), "scratch": scratch, "seconds": self.config.seconds, "memory": self.config.memory,
                 "coverage": self.config.coverage, "path": [str(self.config.root), *self.config.path]}  # fmt: skip
        self._send(worker, (json.dumps(first) + "\n").encode())

    # ---- taking ----

    def _serve(self, worker: _Worker, kind: str, results: list[Result]) -> None:
        if kind == "requests":
            self._write(worker)
        elif kind == "log":
            self._read_log(worker)
        else:
            is_open = _read_into(worker.answers, worker.incoming)
            self._take_answers(worker, results)
            if not is_open:
                self._bury(worker, results)

    def _write(self, worker: _Worker) -> None:
        with contextlib.suppress(BrokenPipeError):  # its end is seen on the other pipe
            del worker.outgoing[: os.write(worker.requests, worker.outgoing[:_READ])]
            if worker.outgoing:
                return
        worker.outgoing.clear()
        self._selector.unregister(worker.requests)

    def _read_log(self, worker: _Worker) -> None:
        if not _read_into(worker.log, worker.printed):
            with contextlib.suppress(KeyError):
                self._selector.unregister(worker.log)
        del worker.printed[:-_MOST_UNREAD]

    def _log_of(self, worker: _Worker, key: str) -> str:
        """The output of the finished case; the worker may print for the next one already."""
        self._read_log(worker)
        printed, mark, rest = worker.printed.partition(log_mark(key))
        if not mark:
            return ""  # those behind it printed too much
        worker.printed[:] = rest
        return _text(printed)

    def _take_answers(self, worker: _Worker, results: list[Result]) -> None:
        *lines, rest = worker.incoming.split(b"\n")
        worker.incoming[:] = rest
        for line in lines:
            said = json.loads(line)
            case = worker.queue.popleft()
            assert case.id == said["id"], "a worker answers in order"
            attempts = 1 + case.ends + case.ends_from_outside
            log = self._log_of(worker, case.id)
            results.append(Result(case.id, said["text"], said["seconds"], worker.name, attempts, log))
            worker.began = time.monotonic()
            worker.done += 1
            self._mean += 0.1 * (said["seconds"] - self._mean)

    # ---- ends ----

    def _deadline(self, worker: _Worker) -> float:
        extra = 0.0 if worker.done else _FIRST_CASE_SECONDS
        return worker.began + 1.5 * self.config.seconds + 1.0 + extra if worker.queue else float("inf")

    def _patience(self, timeout: float) -> float:
        first = min((self._deadline(one) for one in self._workers), default=float("inf"))
        return max(0.0, min(timeout, first - time.monotonic()))

    def _end_late_ones(self, results: list[Result]) -> None:
        for worker in [one for one in self._workers if self._deadline(one) <= time.monotonic()]:
            worker.was_killed = True
            worker.process.kill()
            self._bury(worker, results)

    def _bury(self, worker: _Worker, results: list[Result]) -> None:
        """Handles a dead worker: finds the guilty case, and queues the others again."""
        code = worker.process.wait()
        self._read_log(worker)
        seconds = time.monotonic() - worker.began
        self._remove(worker)
        if not worker.queue:
            return
        case = worker.queue.popleft()
        self._again.extend(worker.queue)
        if worker.was_killed:
            result = ended(case.id, "timeout", "the case exceeded its time and was ended")
        elif self._is_tried_again(case, code):
            self._again.appendleft(case)
            return
        else:
            result = ended(case.id, "crash", f"the worker ended with {_cause(code)}")
        attempts = max(1, case.ends + case.ends_from_outside)
        results.append(Result(case.id, result, round(seconds, 6), worker.name, attempts, _text(worker.printed)))

    def _is_tried_again(self, case: Waiting, code: int) -> bool:
        if -code in _FROM_OUTSIDE:
            case.ends_from_outside += 1
        else:
            case.ends += 1
        return case.ends < _ENDS and case.ends_from_outside < _ENDS_FROM_OUTSIDE

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        for descriptor in (worker.requests, worker.answers, worker.log):
            with contextlib.suppress(KeyError):
                self._selector.unregister(descriptor)
            os.close(descriptor)
        worker.process.wait()
        shutil.rmtree(worker.scratch, ignore_errors=True)


def environment() -> dict[str, str]:
    """The environment of a worker: no options of Lockstep, which belong to the case, and one thread for libraries."""
    variables = {name: value for name, value in os.environ.items()
                 if name not in settings.ENVIRONMENT and name not in settings.DEBUG_VARIABLES}  # fmt: skip
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        variables.setdefault(name, "1")
    package = str(Path(settings.__file__).parents[1])
    paths = [package, *variables.get("PYTHONPATH", "").split(os.pathsep)]
    return variables | {"PYTHONPATH": os.pathsep.join(filter(None, dict.fromkeys(paths))), "PYTHONHASHSEED": "0"}


def _read_into(descriptor: int, buffer: bytearray) -> bool:
    """Reads everything that has arrived; False: the other end is closed."""
    while True:
        try:
            data = os.read(descriptor, _READ)
        except BlockingIOError:
            return True
        if not data:
            return False
        buffer += data


def ended(key: str, verdict: str, message: str) -> str:
    """The result of a case whose worker could not return one."""
    result: dict[str, Any] = {"id": key, "verdict": verdict, "findings": [], "outputs": {}, "message": message}
    return canonical(result)


def _cause(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _text(data: bytearray) -> str:
    return data[-_MOST_LOG:].decode("utf-8", "replace")
