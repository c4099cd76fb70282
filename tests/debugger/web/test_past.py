"""What was written and who ran when, on the page of a server and in a recorded run."""

from __future__ import annotations

import re

import pytest
from conftest import picture, tab
from test_page import line_of, press
from test_trace import record

expect = pytest.importorskip("playwright.sync_api").expect
PARTLY = ["tests/debugger/dap/kernels/partly.py::partly", "--grid", "3", "out=zeros:i32[4,8]", "n=14", "BLOCK=8"]
MEETING = ["tests/debugger/dap/kernels/meeting.py::meeting", "--grid", "3", "x=arange:f32[12]", "out=zeros:f32[16]", "BLOCK=4"]
PRODUCER = ["tests/findings/LS303_relaxed_flag/good/kernel.py::produce_consume", "--grid", "4", "data=zeros:f32[1]", "flag=zeros:i32[1]", "out=zeros:f32[3]"]  # fmt: skip


@pytest.fixture(params=["served", "recorded"])
def opened(request, serve, page, tmp_path):
    """Opens the page at the end of a launch."""

    def open_at_end(words: list[str], code: int = 0):
        page.goto(serve(*words).address if request.param == "served" else record(tmp_path, *words, code=code).as_uri())
        line_of(page)
        for _ in range(4):  # past findings
            if "the launch has ended" in page.locator("#status").inner_text():
                break
            press(page, "c")
        expect(page.locator("#status")).to_contain_text("the launch has ended")
        page.name = request.param
        return page

    return open_at_end


def test_elements_never_once_and_twice_written(opened):
    page = opened(PARTLY)
    panel = page.locator("#coverage")
    tab(page, "Writes")
    expect(panel.locator(".shares li")).to_have_text(["18 of 32 never written", "6 of 32 once", "8 of 32 by several ops"])
    expect(panel).to_contain_text("Never: [1, 6] to [3, 7]")
    expect(panel.locator(".repeated li").first).to_have_text("out[0, 4]: 2 times, by (0, 0, 0), (1, 0, 0)")
    picture(page, f"coverage-{page.name}")


def test_turns_and_races(opened):
    page = opened(MEETING, code=1)
    tab(page, "Timeline")
    panel = page.locator("#timeline")
    expect(panel).to_contain_text("Time slices 0 to 2 of 3")
    expect(panel.locator(".links li").first).to_contain_text(re.compile(r"race: \(0, 0, 0\) line 13 step \d+ and \(1, 0, 0\) line 13 step \d+"))
    panel.locator("canvas").press("ArrowRight")
    expect(panel).to_contain_text(re.compile(r"time slice 1: program \(1, 0, 0\), steps 0 to \d+: 1 load, 2 stores"))
    picture(page, f"timeline-{page.name}")


def test_releases_and_acquires(opened):
    page = opened(PRODUCER)
    tab(page, "Timeline")
    panel = page.locator("#timeline")
    expect(panel).to_contain_text("3 times a program acquired what another one released")
    expect(panel.locator(".links")).to_have_count(0)
    picture(page, f"orders-{page.name}")
