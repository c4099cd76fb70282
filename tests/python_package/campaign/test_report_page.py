"""The report's page in Debian's Chromium (tests/browser/chromium.py): without network, by keyboard, light and dark, without barriers (axe)."""

import shutil

import pytest
from lockstep.campaign.report import page as report_page
from test_code_coverage import WALK, gathered, line, walk  # noqa: F401
from test_report import ran, report  # noqa: F401

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright (./dev setup)")
from chromium import browser, page, picture  # noqa: F401


@pytest.fixture
def opened(page, ran):  # noqa: F811
    """The page, which asks nobody for anything."""
    (ran.path / "plan.db").rename(ran.path / "old.db")
    fixed = (ran.path / "small_kernels.py").read_text().replace("tl.load(x + at) * 2)", "tl.load(x + at, mask=at < 1) * 2, mask=at < 1)")
    (ran.path / "small_kernels.py").write_text(fixed)
    shutil.copy(ran.path / "old.db", ran.path / "plan.db")
    file = ran.path / "report.html"
    file.write_text(report_page.page(report(ran, since="old.db"), "plan.db"), encoding="utf-8")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    yield page
    assert requests == [file.as_uri()]


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


def test_the_map_leads_to_the_source_that_no_case_showed(page, walk):  # noqa: F811
    from axe_playwright_python.sync_playwright import Axe

    expect = playwright_api.expect
    walk.run(WALK + "[run.axes]\nn = [32, 64]\nlimit = [2]\n")
    file = walk.path / "report.html"
    file.write_text(report_page.page(gathered(walk), "plan.db"), encoding="utf-8")
    page.goto(file.as_uri())
    row = page.locator("#map tbody tr")
    expect(row.locator("td").last).to_have_text("2 of 4")
    listing = page.locator("#coverage details")
    expect(listing.locator("pre")).not_to_be_visible()
    row.get_by_role("link", name="walk").click()
    expect(listing.locator("pre")).to_be_visible()
    never = {"return tl.where(a > b, a, b)": "×", "value = larger(value, limit)": "×", "value += tl.load(x + at, mask=at < n)": "−"}
    expect(listing.locator("pre .missed")).to_contain_text([f"{line(words)} {mark} " for words, mark in never.items()])
    expect(listing.locator("pre .missed")).to_contain_text(list(never))
    expect(listing.get_by_text("if: never true")).to_be_visible()
    expect(listing.get_by_text("load: mask never off")).to_be_visible()
    for theme in ("light", "dark"):
        if page.evaluate("document.documentElement.dataset.theme") != theme:
            page.locator("#theme").click()
        picture(page, f"campaign-coverage-{theme}")
        found = Axe().run(page)
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
