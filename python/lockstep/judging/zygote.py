"""A process that has torch (and Triton, with "cuda" pretended) imported, and forks one for each file to load. It loads none itself.
Run as `-m lockstep.judging.zygote KIND DESCRIPTOR`; the descriptor is a socket on which the judge asks for processes.

A question is a line of JSON with three descriptors (in, out, output); the answer is a line of JSON: {"pid", "init", "had"}. pid is
the process to end, init (0: none) the first of its process namespace, had what isolates it."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import signal
import socket
import sys
import tempfile
from typing import Any

from lockstep.judging import isolation


def _serve(kind: str, source: int, target: int) -> None:
    from lockstep.judging import candidate_side, reference_side

    (candidate_side if kind == "candidate" else reference_side).serve(source, target)


def _settle(folder: str, output: int) -> None:
    """Standard streams, folder and environment of the new process."""
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.chdir(folder)
    tempfile.tempdir = folder
    os.environ |= {"HOME": folder, "TMPDIR": folder} | {name: os.path.join(folder, "cache") for name in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR")}
    sys.argv = ["main.py"]
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _become(kind: str, asked: dict[str, Any], descriptors: list[int], socket_: socket.socket) -> None:
    """In the forked process."""
    source, target, output = descriptors
    os.setsid()
    _settle(asked["folder"], output)
    isolation.limit(asked["memory"])
    had, init = ["limits"], 0
    if kind == "candidate" and isolation.unshare():
        had.append("namespaces")
        ready, go = os.pipe()
        init = os.fork()
        if init:  # waits, so that the namespace has an owner that can be ended
            os.close(go)
            more = os.read(ready, 64).decode().split()
            socket_.sendall(json.dumps({"pid": os.getpid(), "init": init, "had": had + more}).encode() + b"\n")
            socket_.close()
            os.close(source)
            os.close(target)
            os.waitpid(init, 0)
            os._exit(0)
        os.close(ready)
    if kind == "candidate":
        more = [name for name, enter in (("landlock", lambda: isolation.landlock(asked["folder"])), ("seccomp", isolation.seccomp)) if enter()]
        if "namespaces" in had:
            os.write(go, (" ".join(more) or "-").encode())
            os.close(go)
        had += more
    if "namespaces" not in had:
        socket_.sendall(json.dumps({"pid": os.getpid(), "init": 0, "had": had}).encode() + b"\n")
    socket_.close()
    _serve(kind, source, target)


def _warm(kind: str) -> None:
    import torch

    torch.set_num_threads(1)
    from lockstep.judging import candidate_side, reference_side  # noqa: F401

    torch.nn.Linear(2, 2)(torch.ones(2, 2))
    if kind == "candidate":
        if importlib.util.find_spec("triton") is None:
            return
        from lockstep.judging import capsules, host, warm_kernel

        host.Watch.install()
        capsules.recorder.__enter__()
        warm_kernel.run()


def main(words: list[str]) -> int:
    kind, descriptor = words[0], int(words[1])
    asks = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _warm(kind)
    while True:
        text, descriptors, _, _ = socket.recv_fds(asks, 1 << 16, 3)
        if not text:
            return 0
        asked = json.loads(text)
        for one in asked["preloaded"]:
            with contextlib.suppress(ImportError):
                importlib.import_module(one)
        if os.fork() == 0:
            code = 1
            try:
                _become(kind, asked, list(descriptors), asks)
                code = 0
            finally:
                os._exit(code)
        for one in descriptors:
            os.close(one)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
