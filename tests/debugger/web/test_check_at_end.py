"""What the page says of a launch that was brought to its end, without being asked."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT, tab
from test_page import MISSING_MASK, line_of, press, settle

expect = pytest.importorskip("playwright.sync_api").expect

COUNTER = ("tests/findings/LS302_counter/{}/kernel.py::count_positive", "--grid", "cdiv(n, BLOCK)", "x=randn:f32[1000]",
           "count=zeros:i32[1]", "n=1000", "BLOCK=64")  # fmt: skip


def launch(twin: str) -> list[str]:
    return [word.format(twin) for word in COUNTER]


def test_a_race_is_told_at_the_end(serve, page):
    page.goto(serve(*launch("bad")).address)
    line_of(page)
    expect(page.locator("#findings")).to_contain_text("None up to here.")
    press(page, "c")
    expect(page.locator("#findings li.error b")).to_have_text(["LS302"])


def test_silence_at_the_end_is_that_of_all_checkers(serve, page):
    page.goto(serve(*launch("good")).address)
    line_of(page)
    press(page, "c")
    expect(page.locator("#findings")).to_contain_text("None under all checkers.")


HISTOGRAM = """import triton
import triton.language as tl


def reference(x):
    return [x.count(i) for i in range(16)]


@triton.jit
def histogram(x, counts):
    i = tl.program_id(0)
    v = tl.load(x + i) % 4
    c = tl.load(counts + v)
    tl.store(counts + v, c + 1)
"""


@pytest.fixture
def race(serve, page, tmp_path) -> None:
    """Brought to its end: programs 0, 4, 8 count in the same element as each other, and so on; one counts alone."""
    (tmp_path / "histogram.py").write_text(HISTOGRAM)
    page.goto(serve(f"{tmp_path}/histogram.py::histogram", "--grid", "9", "x=arange:i32[9]", "counts=zeros:i32[4]").address)
    line_of(page)
    assert press(page, "c") == 0
    expect(page.locator("#findings li.error b").first).to_have_text("LS302")


def test_forwards_from_the_end_nothing_happens(race, page):
    for key in "cnis":
        assert press(page, key) == 0
    expect(page.locator("#status")).to_have_text("the launch has ended")
    for name in ("Next", "Run"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_enabled()
    expect(page.locator("#verdict")).to_have_text("1 error")
    expect(page.locator("#position")).to_have_text("End of the launch")
    assert press(page, "b"), "and the way back is open"
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_the_badge_counts_as_the_verdict_does(race, page):
    expect(page.locator("#findings > .body > .note")).to_have_text("1 error, 1 note")
    expect(page.locator("#findings-tab .count")).to_have_text("1")
    expect(page.locator("#verdict")).to_have_text("1 error")


def test_programs_that_race_are_marked(race, page):
    expect(page.locator("#grid .cell.race")).to_have_count(9)
    expect(page.locator("#grid .cell.race").first).to_have_text("!")
    expect(page.locator("#grid .cell.race").first).to_have_attribute("aria-label", "program (0, 0, 0): races with another program")
    expect(page.locator("#grid .counts")).to_contain_text("9 race")
    assert press(page, "b")
    expect(page.locator("#grid .cell.race")).to_have_count(0)  # the race is told at the end


def test_all_who_touched_the_element_are_named(race, page):
    tab(page, "Findings")
    page.get_by_role("button", name="explain LS302").click()
    rows = page.locator("#explain .writers tr")
    expect(rows).to_have_text([re.compile(rf"program \({program}, 0, 0\){kind}") for program in (0, 4, 8) for kind in ("read", "store")])
    expect(page.locator("#explain .writers tr.marked")).to_have_count(4)


def test_both_orders_show_the_loads(race, page):
    tab(page, "Findings")
    page.get_by_role("button", name="explain LS302").click()
    page.get_by_role("button", name="Two orders side by side").click()
    orders = page.locator("#orders")
    expect(orders.locator(".told")).to_have_text("counts[0] ends as 3 in one order and as 2 in the other.")
    line = HISTOGRAM.split("\n").index("    c = tl.load(counts + v)") + 1
    left, right = orders.locator("section.order").first, orders.locator("section.order").last
    first, second = "program (0, 0, 0)", "program (4, 0, 0)"
    reads, stores = f"reads it in line {line}", f"stores to it in line {line + 1}"
    told = [f"{who} {what}counts[0] = {value}" for who, what, value in ((first, reads, 0), (first, stores, 1), (second, reads, 1), (second, stores, 2))]
    expect(left.locator("li")).to_have_text(["the launch beginscounts[0] = 0", *told, "the launch is overcounts[0] = 3"])
    told = [f"{who} {what}counts[0] = {value}" for who, what, value in ((first, reads, 0), (second, reads, 0), (second, stores, 1), (first, stores, 1))]
    expect(right.locator("li")).to_have_text(["the launch beginscounts[0] = 0", *told, "the launch is overcounts[0] = 2"])


def test_lines_outside_of_the_kernel_are_folded(race, page):
    count = len(HISTOGRAM.split("\n"))
    expect(page.locator("#source li[data-line]")).to_have_count(count)
    expect(page.locator("#source li[data-line]:visible")).to_have_count(count - 8)
    page.get_by_role("button", name="Lines 1 to 8: outside of the kernel").click()
    expect(page.locator("#source li[data-line]:visible")).to_have_count(count)
    expect(page.get_by_role("button", name="breakpoint at line 1", exact=True)).to_be_focused()


def test_a_function_that_the_kernel_calls_is_not_folded(serve, page):
    page.goto(serve().address)
    fold = "async ([text, kernel]) => { const { stretches_outside } = await import('/js/python.js'); return stretches_outside(text.split('\\n'), kernel); }"
    text = "import x\n\n\n@jit\ndef one(a):\n    return a\n\n\ndef other():\n    pass\n\n\n@jit(\n    debug=True,\n)\ndef kernel(\n    a,\n):\n    one(a)\n\n\nkernel[1](2)\nkernel[1](3)\n"
    assert page.evaluate(fold, [text, "kernel"]) == [[0, 3], [6, 12], [19, 24]]
    assert page.evaluate(fold, [text, "unknown"]) == []
