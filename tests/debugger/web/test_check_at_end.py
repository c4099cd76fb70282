"""What the page says of a launch that was brought to its end, without being asked."""

from __future__ import annotations

from playwright.sync_api import expect
from test_page import line_of, press

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
