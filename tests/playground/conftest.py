"""The playground in Debian's Chromium, from a plain server of files. LOCKSTEP_PLAYGROUND names its folder; without one the tests are skipped.

LOCKSTEP_SCREENSHOTS names a folder for pictures of what the tests see."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright (./dev setup)")
playwright_api.expect.set_options(timeout=60_000)

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


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


@pytest.fixture(scope="session")
def browser() -> Iterator[playwright_api.Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium (apt: chromium)")
    with playwright_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: playwright_api.Browser) -> Iterator[playwright_api.Page]:
    """A page of 1280 pixels whose scripts must not fail."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(60_000)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert failures == []


def picture(page: playwright_api.Page, name: str, height: int = 0) -> None:
    """Of the whole page, or of its upper `height` pixels."""
    folder = os.environ.get("LOCKSTEP_SCREENSHOTS")
    if folder:
        part = {"clip": {"x": 0, "y": 0, "width": page.viewport_size["width"], "height": height}} if height else {}
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True, **part)
