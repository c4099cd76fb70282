"""Debian's Chromium, driven by Playwright: the fixtures `browser` and `page` of all tests that look at pages, and pictures.

A folder's conftest puts this folder on sys.path and imports them. Where Playwright or Chromium is missing its tests are skipped,
with the reason. LOCKSTEP_SCREENSHOTS names a folder for pictures of what the tests see."""

from __future__ import annotations

import os
import re
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
    assert failures == [], failures


def tab(page: playwright_api.Page, name: str) -> None:
    """Opens a tab of the drawer."""
    page.get_by_role("tab", name=name).click()


def editor(page: playwright_api.Page) -> playwright_api.Locator:
    """Where the kernel's text is edited."""
    return page.locator("#edit .cm-content")


def write_kernel(page: playwright_api.Page, text: str) -> None:
    """Pastes another text over all of it."""
    editor(page).press("Control+a")
    editor(page).evaluate("""(content, text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        content.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }""", text)


def kernel_text(page: playwright_api.Page) -> str:
    """As the editor shows it: of a long text the part around what is in sight."""
    playwright_api.expect(editor(page)).to_be_visible()
    return "\n".join(page.locator("#edit .cm-line").all_text_contents())


def expect_kernel_text(page: playwright_api.Page, text: str) -> None:
    playwright_api.expect(page.locator("#edit .cm-line")).to_have_text([re.compile(f"^{re.escape(line)}$") for line in text.split("\n")])


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
