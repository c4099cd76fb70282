"""Of a kernel in TTGIR, the page shows which warp, lane and register of the GPU holds an element."""

from __future__ import annotations

import pytest
from test_pictures import go_to

expect = pytest.importorskip("playwright.sync_api").expect
LAYOUT = ["tests/debugger/terminal/layout.ttgir", "--grid", "1", "x=arange:f32[16,32]", "out=empty:f32[16]"]


def test_an_element_has_its_warp_lane_and_register(serve, page):
    page.goto(serve(*LAYOUT).address)
    go_to(page, "%5 = tt.addptr")
    page.locator("#tile select").select_option("tile")
    canvas = page.locator("#tile canvas")
    canvas.press("End")
    expect(page.locator("#tile dl")).to_contain_text("warp 1, lane 31, register 7")
    canvas.press("Home")
    expect(page.locator("#tile dl")).to_contain_text("warp 0, lane 0, register 0")
    expect(page.locator("#tile dl dt", has_text="on the GPU")).to_have_count(1)
    page.locator("#tile select").select_option("x")
    expect(page.locator("#tile dl")).not_to_contain_text("on the GPU")
