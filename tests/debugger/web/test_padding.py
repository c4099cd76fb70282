"""What a tile holds beyond its data: lanes of masked-off loads, tiles that run over a row's end."""

from __future__ import annotations

import re

import pytest
from conftest import picture, tab
from test_page import settle
from test_pictures import go_to

expect = pytest.importorskip("playwright.sync_api").expect
SOFTMAX = ["tests/debugger/padded.py::softmax", "--grid", "rows", "x=randn:f32[5,100]", "out=zeros:f32[5,100]", "rows=5", "columns=100", "stride=100", "BLOCK=128"]  # fmt: skip
MATMUL = ["tests/debugger/padded.py::matmul", "--grid", "cdiv(M, BM),cdiv(N, BN)", "a=randn:f32[40,50]", "b=randn:f32[50,30]", "c=zeros:f32[40,30]", "M=40", "N=30", "K=50", "BM=16", "BN=16", "BK=32"]  # fmt: skip
COUNTS = "128 lanes: 100 loaded, 28 from other=0.0 (padded.py:12)"


def test_padding_stays_marked_in_later_tiles(serve, page):
    page.goto(serve(*SOFTMAX).address)
    go_to(page, "tl.store")
    for name in ("v", "e"):
        page.locator("#tile select").select_option(name)
        expect(page.locator("#tile .padding-legend")).to_contain_text(COUNTS)
        canvas = page.locator("#tile canvas")
        expect(canvas).to_have_attribute("aria-label", re.compile(r"hatched lanes are padding: 128 lanes: 100 loaded, 28 from other=0\.0"))
        canvas.press("End")
        expect(page.locator("#tile dl")).to_contain_text("this lane is not data: other=0.0 of the load in line 12")
        canvas.press("Home")
        expect(page.locator("#tile dl")).not_to_contain_text("no data")
    picture(page, "padding-tile")
    page.locator("#tile select").select_option("mask")
    expect(page.locator("#tile .body")).to_contain_text("i1")
    expect(page.locator("#tile .padding-legend")).to_have_count(0)


def test_a_reduction_says_how_much_of_it_is_padding(serve, page):
    page.goto(serve(*SOFTMAX).address)
    go_to(page, "tl.store")
    page.get_by_role("button", name="sum of e along axis 0").click()
    expect(page.locator(".pictures .origins")).to_contain_text(COUNTS)
    expect(page.locator(".pictures canvas").first).to_have_attribute("aria-label", re.compile("hatched lanes are padding"))
    picture(page, "padding-reduction")


def test_why_says_how_much_is_padding(serve, page):
    page.goto(serve(*SOFTMAX).address)
    go_to(page, "tl.store")
    tab(page, "Console")
    page.locator("#console-input").fill("turn")
    page.keyboard.press("Enter")
    tab(page, "Why")
    page.locator("#why-input").fill("out[0,3]")
    page.locator("#why-input").press("Enter")
    expect(page.locator("#explain .cards li", has_text="tl.sum").first).to_contain_text(COUNTS)
    picture(page, "padding-why")


def test_a_tile_that_runs_over_a_rows_end_is_drawn_in_parts(serve, page):
    page.goto(serve(*MATMUL).address)
    go_to(page, "acc += tl.dot")
    expect(page.locator(".product")).to_contain_text("A is a[0 to 15, 0 to 31] of 40 × 50")
    page.keyboard.press("c")
    expect(page.locator("#status")).to_contain_text("LS101: out-of-bounds read: b[50,0]")
    expect(page.locator("#status")).to_contain_text(", line 56")
    page.keyboard.press("c")
    expect(page.locator("#status")).to_contain_text(", line 57")
    settle(page)
    product = page.locator(".product")
    expect(product).to_contain_text("A is a[0 to 15, 32 to 49] and a[1 to 16, 0 to 13] of 40 × 50; it runs over the row's end into the next row")
    expect(product).to_contain_text("B is b[32 to 49, 0 to 15] of 50 × 30; 224 of 512 lanes lie beyond b, from b[50, 0] to [63, 15]")
    expect(product.locator(".matrix").first.locator(".part")).to_have_count(2)
    expect(product.locator(".matrix").last.locator(".part.outside")).to_have_count(1)
    picture(page, "wrapped-tile")
