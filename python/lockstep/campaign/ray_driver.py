"""The workers of a Ray cluster, with the interface of pool.Pool: Ray ships code and inputs, places actors and tells of lost ones.

Each actor has one worker process of pool.py on its node, so that limits, crashes and results are the local run's. Invariants: a
case is at one actor at a time; cases of an actor that is lost go back into the queue; what is reported twice is kept once (the
state file's primary key). Ray is imported only here."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lockstep import settings
from lockstep.campaign.pool import Config, Pool, ended
from lockstep.campaign.problems import ClusterLost, Missing
from lockstep.campaign.state import Result

_BATCH_SECONDS, _MOST_BATCH = 0.5, 256  # of work that goes to an actor at once
_BATCHES_AHEAD = 2  # that an actor has, so that it never waits for the network
_CONNECT_SECONDS, _SILENCE_SECONDS = 10.0, 10.0
_GROWTH_SECONDS = 10.0  # between looks at how many cores there are
_LOSSES = 3  # of actors by one case, before it is a crash
# : Not shipped: files that no case reads, and that grow while the campaign runs.
_EXCLUDES = ["*.db", "*.db-wal", "*.db-shm", "*.db.lock", ".git", "__pycache__", "*.pyc"]


class Node:
    """Runs in an actor: a worker process of its own, in the folder where Ray unpacked the campaign's files."""

    def __init__(self, seconds: float, memory: int, coverage: bool) -> None:
        ray = _ray()
        name = str(ray.get_runtime_context().get_node_id())[:8]
        # Held open, so that their numbers are not reused.
        self._folders = {folder: os.open(folder, os.O_RDONLY) for folder in (Path.cwd(), Path(settings.__file__).parent)}
        self._pool = Pool(Config(Path.cwd(), seconds, memory, coverage), 1, prefix=f"{name}-")

    def ready(self) -> bool:
        return True

    def run(self, cases: list[tuple[str, str]]) -> list[Result]:
        """Sends all cases; returns when the last one is done."""
        results: list[Result] = []
        upcoming = deque(cases)
        while upcoming or self._pool.unfinished():
            while upcoming and self._pool.wants():
                self._pool.submit(*upcoming.popleft())
            results += self._pool.poll(1.0)
        self._check_folders()
        return results

    def _check_folders(self) -> None:
        """Ends the actor, so that its cases are run again, where what Ray unpacked was taken away under it: a second node that
        joins on this machine unpacks the same into the same folders, and cases fail meanwhile."""
        try:
            is_there = all(os.path.samestat(os.stat(folder), os.fstat(seen)) for folder, seen in self._folders.items())
        except OSError:
            is_there = False
        if not is_there:
            os._exit(1)


@dataclass
class _Actor:
    handle: Any
    batches: int = 0
    is_ready: bool = False


@dataclass
class _Flight:
    """A batch on an actor; without cases: a question whether the actor is ready."""

    actor: _Actor
    cases: list[tuple[str, str]] = field(default_factory=list)


class Cluster:
    """Actors on a Ray cluster, one for each core (or `jobs`). address: "auto" (the cluster of this machine) or HOST:PORT."""

    def __init__(self, config: Config, address: str, jobs: int, *, ship_without: Sequence[str] = ()) -> None:
        self.config, self._excludes = config, [*_EXCLUDES, *ship_without]
        self._ray = _ray()
        self._connect(address)
        self._wanted = jobs  # actors; 0: one for each core, also of nodes that join
        self._remote = self._ray.remote(num_cpus=1, max_restarts=0)(Node)
        self._actors: list[_Actor] = []
        self._flights: dict[Any, _Flight] = {}
        self._queue: deque[tuple[str, str]] = deque()
        self._losses: dict[str, int] = {}
        self._mean = 0.01
        self._gcs = str(self._ray.get_runtime_context().gcs_address)
        self._last_news = time.monotonic()
        self._is_lost = False
        self._last_growth = 0.0
        self._grow()

    def _grow(self) -> None:
        """As many actors as there are cores, or as were requested."""
        if time.monotonic() - self._last_growth < _GROWTH_SECONDS:
            return
        self._last_growth = time.monotonic()
        self._check_gcs()
        wanted = self._wanted or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        while len(self._actors) < wanted:
            self._start()

    def _connect(self, address: str) -> None:
        _check_reachable(address)
        package = Path(settings.__file__).parent
        shipped = {"working_dir": str(self.config.root), "py_modules": [str(package)], "excludes": self._excludes}
        try:
            self._ray.init(address=address, runtime_env=shipped, logging_level=logging.WARNING, log_to_driver=False)
        except ConnectionError as error:
            raise _no_cluster(address, error) from None
        except (RuntimeError, ValueError, OSError) as error:
            raise Missing(f"Ray at {address} cannot be used: {error}\n"
                          "hint: `root` and `ship_without` of [campaign] say what it is sent") from None  # fmt: skip

    def wants(self) -> bool:
        if len(self._queue) >= self._size():
            return False
        return any(one.is_ready and one.batches < _BATCHES_AHEAD for one in self._actors)

    def unfinished(self) -> int:
        return len(self._queue) + sum(len(flight.cases) for flight in self._flights.values())

    def submit(self, key: str, text: str) -> None:
        self._queue.append((key, text))
        if len(self._queue) >= self._size():
            self._dispatch()

    def poll(self, timeout: float) -> list[Result]:
        self._dispatch()
        results: list[Result] = []
        if not self._flights:
            time.sleep(min(timeout, 0.01))
            return results
        done, _ = self._ray.wait(list(self._flights), num_returns=len(self._flights), timeout=0)
        if not done:
            done, _ = self._ray.wait(list(self._flights), num_returns=1, timeout=timeout)
        self._check_alive(bool(done))
        self._grow()
        for future in done:
            results += self._land(future, self._flights.pop(future))
        self._dispatch()
        return results

    def _check_alive(self, has_news: bool) -> None:
        """Ray waits for a lost cluster forever. Raises ClusterLost; `resume` runs the unfinished cases."""
        now = time.monotonic()
        if has_news or now - self._last_news < _SILENCE_SECONDS:
            self._last_news = now if has_news else self._last_news
            return
        self._check_gcs()
        self._last_news = now

    def _check_gcs(self) -> None:
        """Before Lockstep asks Ray for something that only its head knows."""
        try:
            _check_reachable(self._gcs)
        except Missing as error:
            self._is_lost = True
            raise ClusterLost(str(error)) from None

    def close(self) -> None:
        if self._is_lost:
            return  # every call would wait for it
        for actor in self._actors:
            with contextlib.suppress(Exception):
                self._ray.kill(actor.handle)
        self._ray.shutdown()

    # ---- batches ----

    def _size(self) -> int:
        return max(1, min(_MOST_BATCH, int(_BATCH_SECONDS / max(self._mean, 1e-4))))

    def _dispatch(self) -> None:
        while self._queue:
            free = [one for one in self._actors if one.is_ready and one.batches < _BATCHES_AHEAD]
            if not free:
                return
            actor = min(free, key=lambda one: one.batches)
            cases = [self._queue.popleft() for _ in range(min(self._size(), len(self._queue)))]
            actor.batches += 1
            self._flights[actor.handle.run.remote(cases)] = _Flight(actor, cases)

    def _land(self, future: Any, flight: _Flight) -> list[Result]:
        try:
            answer = self._ray.get(future)
        except self._ray.exceptions.RayActorError:
            return self._lose(flight)
        if not flight.cases:
            flight.actor.is_ready = True
            return []
        flight.actor.batches -= 1
        results = list(answer)
        if results:
            self._mean += 0.3 * (sum(one.seconds for one in results) / len(results) - self._mean)
        return results

    def _lose(self, flight: _Flight) -> list[Result]:
        """An actor is gone, with its node or alone: its cases run again, and another actor replaces it."""
        results = []
        for key, text in flight.cases:
            self._losses[key] = self._losses.get(key, 0) + (len(flight.cases) == 1)
            if self._losses[key] >= _LOSSES:
                message = "each worker with this case was lost"
                results.append(Result(key, ended(key, "crash", message), 0.0, "lost", self._losses[key]))
            else:
                self._queue.appendleft((key, text))
        if flight.actor in self._actors:
            self._actors.remove(flight.actor)
            self._start()
        return results

    def _start(self) -> None:
        actor = _Actor(self._remote.remote(self.config.seconds, self.config.memory, self.config.coverage))
        self._actors.append(actor)
        self._flights[actor.handle.ready.remote()] = _Flight(actor)


def _no_cluster(address: str, why: object) -> Missing:
    return Missing(f"no Ray cluster at {address}: {why}\nhint: `ray start --head` starts one on this machine")


def _check_reachable(address: str) -> None:
    """Tests the address first: Ray itself tries for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return  # "auto", or a name that Ray knows
    try:
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, error) from None


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise Missing('--ray needs Ray: pip install "triton-lockstep[ray]"') from None
