"""Debian's Chromium, driven by Playwright: the fixtures `browser` and `page` of all tests that look at pages, and pictures.

A folder's conftest puts this folder on sys.path and imports them. Where Playwright or Chromium is missing its tests are skipped,
with the reason. LOCKSTEP_SCREENSHOTS names a folder for pictures of what the tests see."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright (./dev setup)")

PATIENCE = 60_000  # milliseconds
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright_api.expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[playwright_api.Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium (apt: chromium)")
    with playwright_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=3 * PATIENCE)  # from a cold disk
        yield browser
        browser.close()


@pytest.fixture
def page(browser: playwright_api.Browser) -> Iterator[playwright_api.Page]:
    """A page of 1280 pixels whose scripts must not fail."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert failures == []


def picture(page: playwright_api.Page, name: str, part: str | None = None, height: int = 0) -> None:
    """Of the whole page, of its upper `height` pixels, or of one part of it."""
    folder = os.environ.get("LOCKSTEP_SCREENSHOTS")
    if not folder:
        return
    path = Path(folder) / f"{name}.png"
    if part is not None:
        page.locator(part).screenshot(path=path)
        return
    clip = {"clip": {"x": 0, "y": 0, "width": page.viewport_size["width"], "height": height}} if height else {}
    page.screenshot(path=path, full_page=True, **clip)
