"""The built site (LOCKSTEP_SITE), served to Debian's Chromium (tests/browser/chromium.py)."""

from __future__ import annotations

import functools
import http.server
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "browser"))
from chromium import browser, picture  # noqa: E402, F401


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Its address."""
    folder = os.environ.get("LOCKSTEP_SITE", "")
    if not Path(folder, "index.html").is_file():
        pytest.skip("no site: zensical is not installed (./dev docs)")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
