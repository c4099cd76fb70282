"""`lockstep serve`, in Debian's Chromium (tests/browser/chromium.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "browser"))
from chromium import browser, editor, expect_kernel_text, kernel_text, page, picture, tab, write_kernel  # noqa: E402, F401

SOFTMAX = ["examples/softmax.py::softmax", "--grid", "4", "x=randn:f32[4,100]", "out=empty:f32[4,100]", "x_stride=100", "out_stride=100", "rows=4", "columns=100", "BLOCK=128"]  # fmt: skip


class Served:
    """A server: where it is, without and with its token."""

    def __init__(self, words: list[str], folder: Path = ROOT) -> None:
        command = [os.environ["LOCKSTEP_EXECUTABLE"], "serve", *words]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("lockstep serve: open http://"), line
        self.address = line.split()[-1]
        self.base, self.token = self.address.split("?token=")
        self.port = int(self.base.rstrip("/").rsplit(":", 1)[1])

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(20)


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    servers: list[Served] = []

    def start(*words: str, folder: Path = ROOT) -> Served:
        servers.append(Served(list(words) or SOFTMAX, folder))
        return servers[-1]

    yield start
    for server in servers:
        server.end()
