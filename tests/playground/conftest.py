"""The playground in Debian's Chromium, from a plain server of files. LOCKSTEP_PLAYGROUND names its folder; without one the tests are skipped.
tests/browser/chromium.py has the browser."""

from __future__ import annotations

import functools
import http.server
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "browser"))
from chromium import browser, editor, expect_kernel_text, kernel_text, page, picture, tab, write_kernel  # noqa: E402, F401


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "campaign: long; not part of every CI run")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def playground() -> Iterator[str]:
    folder = Path(os.environ.get("LOCKSTEP_PLAYGROUND", ROOT / "build-wasm/playground"))
    if not (folder / "lockstep.wasm.gz").exists():
        pytest.skip("no playground (./dev playground)")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
