"""The pipeline of a program with groups of warps, on the page of a server and in a recorded run."""

from __future__ import annotations

import re

import pytest
from conftest import picture, tab
from test_page import line_of, press
from test_past import opened  # noqa: F401 (a fixture)

expect = pytest.importorskip("playwright.sync_api").expect
PAIR = ["debugger/web/lessons/29_producer_and_consumer/solution.ttgir", "--grid", "1", "x=randn:f32[8,128]", "out=zeros:f32[128]"]
RING = ["tests/ttgir/3.6/warp_specialize.matmul.sm90.ttgir", "--grid", "1", "--as", "sm_90", "arg0=randn:f16[64,320]", "arg1=64", "arg2=320", "arg3=320", "arg4=1", "arg5=randn:f16[320,64]", "arg6=320", "arg7=64", "arg8=64", "arg9=1", "arg10=empty:f32[64,64]", "arg11=320", "arg12=64"]  # fmt: skip


def test_groups_of_a_pair(opened):  # noqa: F811
    page = opened(PAIR)
    tab(page, "Pipeline")
    panel = page.locator("#pipeline")
    expect(panel.locator("text.name")).to_have_text(["the default group", "partition 0"])
    expect(panel.locator(".bar.write")).to_have_count(8)
    expect(panel.locator(".bar.read")).to_have_count(8)
    panel.locator(".bar.wait").nth(1).focus()
    expect(panel.locator(".chosen")).to_have_text(re.compile(r"\d+ to \d+: waits full, phase 1, iteration 1, line 20"))


def test_engines_of_a_ring(serve, page):
    page.goto(serve(*RING).address)
    line_of(page)
    press(page, "c")
    expect(page.locator("#status")).to_contain_text("the launch has ended")
    tab(page, "Pipeline")
    panel = page.locator("#pipeline")
    expect(panel.locator("text.name")).to_have_text(["the default group", "partition 0", "TMA load", "wgmma"])
    assert panel.locator(".bar.operation").count() >= 15
    picture(page, "pipeline")


def test_only_such_kernels_have_the_tab(serve, page):
    page.goto(serve().address)
    line_of(page)
    expect(page.locator("#pipeline-tab")).to_be_hidden()
