"""The site as a reader sees it: dark and light, on a phone and on a wide screen; search; copy buttons; axe."""

from __future__ import annotations

import pytest
from chromium import PATIENCE

PAGES = ("", "quickstart/", "errors/LS101/", "reference/codes/", "reference/python-api/", "checking/")
SIZES = ((1400, 900), (390, 844))


@pytest.fixture(params=["light", "dark"])
def visit(request, browser, site):
    """Opens a page of the site at a width; nothing may fail, and nothing may come from elsewhere."""
    opened = []
    failures: list[str] = []

    def open_page(name: str, size: tuple[int, int] = SIZES[0]):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=request.param)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
        page.on("request", lambda asked: failures.append(asked.url) if not asked.url.startswith((site, "data:", "blob:")) else None)
        page.goto(site + name)
        return page

    open_page.scheme = request.param
    yield open_page
    for context in opened:
        context.close()
    assert failures == []


def test_pages_fit_and_axe_has_no_objection(visit):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = []
    for size, names in zip(SIZES, (PAGES, ("quickstart/", "reference/codes/")), strict=True):
        for name in names:
            page = visit(name, size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], (name, size)
            page.wait_for_timeout(100)  # the theme wraps tables
            found += [(name, size[0], one["id"], one["nodes"][0]["html"][:200]) for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert found == []


def test_the_scheme_is_the_system_s(visit):
    page = visit("")
    assert page.evaluate("getComputedStyle(document.body).getPropertyValue('color-scheme') || document.body.dataset.mdColorScheme") in (
        {"dark": ("dark", "slate"), "light": ("light", "default", "normal")}[visit.scheme]
    )


def test_search_finds_a_code(visit):
    page = visit("")
    page.get_by_role("button", name="Search").first.click()
    page.wait_for_function("document.activeElement?.shadowRoot")  # the search has opened, and has the keys
    page.keyboard.type("LS113", delay=20)
    found = page.locator("a[href*='errors/LS113/']").first
    found.wait_for()
    found.click()
    page.wait_for_url("**/errors/LS113/**")
    assert "LS113" in page.locator("h1").inner_text()


def test_blocks_have_a_copy_button(visit):
    page = visit("quickstart/")
    button = page.locator(".md-clipboard, button[data-clipboard-target], .md-code__button[data-md-type=copy]").first
    button.wait_for(state="attached")
    button.click(force=True)
    assert page.evaluate("navigator.clipboard.readText()").strip() == "pip install triton-lockstep"
    console = page.locator(".language-console").last  # two commands, and what they print
    console.locator("button").first.click(force=True)
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(copied) == 2 and all(line.startswith("lockstep run ") for line in copied), copied
