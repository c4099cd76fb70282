"""`lockstep serve` and Debian's Chromium, driven by Playwright. Skipped, with the reason, where one is missing.

LOCKSTEP_SCREENSHOTS names a folder for pictures of what the tests see."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright (./dev setup)")
playwright_api.expect.set_options(timeout=30_000)

ROOT = Path(__file__).resolve().parents[3]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SOFTMAX = ["examples/softmax.py::softmax", "--grid", "4", "x=randn:f32[4,100]", "out=empty:f32[4,100]", "x_stride=100", "out_stride=100", "rows=4", "columns=100", "BLOCK=128"]  # fmt: skip


class Served:
    """A server: where it is, without and with its token."""

    def __init__(self, words: list[str]) -> None:
        command = [os.environ["LOCKSTEP_EXECUTABLE"], "serve", *words]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
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

    def start(*words: str) -> Served:
        servers.append(Served(list(words) or SOFTMAX))
        return servers[-1]

    yield start
    for server in servers:
        server.end()


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
    page.set_default_timeout(30_000)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert failures == []


def picture(page: playwright_api.Page, name: str, part: str | None = None) -> None:
    """`part`: of the page, instead of all of it."""
    folder = os.environ.get("LOCKSTEP_SCREENSHOTS")
    if not folder:
        return
    path = Path(folder) / f"{name}.png"
    if part is None:
        page.screenshot(path=path, full_page=True)
    else:
        page.locator(part).screenshot(path=path)
