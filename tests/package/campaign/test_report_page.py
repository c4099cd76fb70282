"""The report's page in Debian's Chromium: without network, by keyboard, light and dark, without barriers (axe).

LOCKSTEP_SCREENSHOTS names a folder for pictures of what the tests see."""

import os
import shutil
from pathlib import Path

import pytest
from lockstep.campaign.report import page
from test_report import ran, report  # noqa: F401

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright (./dev setup)")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture
def opened(ran):  # noqa: F811
    """The page, whose scripts must not fail and which asks nobody for anything."""
    if CHROMIUM is None:
        pytest.skip("no Chromium (apt: chromium)")
    (ran.path / "plan.db").rename(ran.path / "old.db")
    fixed = (ran.path / "small_kernels.py").read_text().replace("tl.load(x + at) * 2)", "tl.load(x + at, mask=at < 1) * 2, mask=at < 1)")
    (ran.path / "small_kernels.py").write_text(fixed)
    shutil.copy(ran.path / "old.db", ran.path / "plan.db")
    file = ran.path / "report.html"
    file.write_text(page.page(report(ran, since="old.db"), "plan.db"), encoding="utf-8")
    failures, requests = [], []
    with playwright_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 1280, "height": 900})
        shown.on("pageerror", lambda error: failures.append(str(error)))
        shown.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
        shown.on("request", lambda request: requests.append(request.url))
        shown.goto(file.as_uri())
        yield shown
        browser.close()
    assert failures == []
    assert requests == [file.as_uri()]


def picture(shown, name):
    if folder := os.environ.get("LOCKSTEP_SCREENSHOTS"):
        shown.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_the_page_is_read_filtered_and_free_of_barriers(opened):
    from axe_playwright_python.sync_playwright import Axe

    expect = playwright_api.expect
    expect(opened.get_by_role("heading", level=1)).to_have_text("<b>both</b> & more")
    expect(opened.get_by_text("Again: lockstep campaign case plan.db").first).to_be_visible()
    expect(opened.locator("pre .here").first).to_contain_text("tl.")
    rows = opened.locator("#map tbody tr")
    expect(rows.locator("visible=true")).to_have_count(2)
    opened.get_by_label("Kernels with").fill("without")
    expect(rows.locator("visible=true")).to_have_count(1)
    expect(opened.get_by_role("status")).to_have_text("1 of 2 kernels")
    opened.get_by_label("Kernels with").fill("")
    opened.get_by_label("only those that failed").check()
    expect(rows.locator("visible=true")).to_have_count(1)
    opened.get_by_label("only those that failed").uncheck()
    for theme in ("light", "dark"):
        if opened.evaluate("document.documentElement.dataset.theme") != theme:
            opened.locator("#theme").click()
        picture(opened, f"campaign-{theme}")
        found = Axe().run(opened)
        assert found.response["violations"] == [], found.generate_report()


def test_the_page_is_walked_by_keyboard(opened):
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.className") == "skip"
    opened.keyboard.press("Enter")
    assert opened.evaluate("document.activeElement.id") == "content"
    summary = opened.locator("details summary").first
    summary.focus()
    was_open = opened.evaluate("document.querySelector('details').open")
    opened.keyboard.press("Enter")
    assert opened.evaluate("document.querySelector('details').open") != was_open
