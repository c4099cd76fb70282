"""Editing on the page of `lockstep serve`: what ran is what is shown, and a text that does not compile is there to be mended."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT, editor, expect_kernel_text, kernel_text, picture, tab, write_kernel
from test_page import MISSING_MASK, line_of, press, settle

expect = pytest.importorskip("playwright.sync_api").expect
BROKEN = """import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if v > 0:
        v = v * 2.0
    tl.store(out + i, v, mask=i < n)
"""
MENDED = BROKEN.replace("    if v > 0:\n        v = v * 2.0\n", "    v = tl.where(v > 0, v * 2.0, v)\n")


def source_texts(page) -> list[str]:
    return page.locator("#source .column:not(.ttir) li code").all_text_contents()


def edit(page):
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(editor(page)).to_be_visible()
    return editor(page)


def test_after_a_run_to_the_end_the_text_that_ran_is_shown(serve, page):
    """And Edit works there, though nobody stands in a line."""
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    text = (ROOT / "examples/vector_add_missing_mask.py").read_text()
    mended = re.sub(r"tl.load\((\w+) \+ index\)", r"tl.load(\1 + index, mask=index < n)", text).replace("left + right)", "left + right, mask=index < n)")
    edit(page)
    write_kernel(page, mended)
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#status")).to_contain_text("the launch has ended")
    expect(page.locator("#source .column:not(.ttir)")).to_contain_text("mask=index < n")
    assert source_texts(page) == mended.split("\n")
    expect(page.locator("#source li.current")).to_have_count(0)
    edit(page)
    expect_kernel_text(page, mended)
    write_kernel(page, mended.replace("left + right,", "left - right,"))
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#source .column:not(.ttir)")).to_contain_text("left - right")


def test_a_kernel_that_does_not_compile_is_there_to_be_mended(serve, page, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    page.goto(serve(f"{path}::scale", "--grid", "1", "x=arange:f32[50]", "out=zeros:f32[50]", "n=50", "BLOCK=64").address)
    expect(editor(page)).to_be_visible()
    expect_kernel_text(page, BROKEN)
    errors = page.locator("#edit .errors")
    expect(errors).to_contain_text("broken.py:9:")
    lines = errors.inner_text().split("\n")
    shown = next(i for i, line in enumerate(lines) if "if v > 0:" in line)
    assert lines[shown + 1].index("^") == lines[shown].index("v > 0"), lines  # the caret stands below it
    expect(page.locator("#edit .cm-lineNumbers .cm-fault")).to_have_text("9")
    expect(page.locator("#edit .cm-line.cm-fault")).to_have_text("    if v > 0:")
    expect(page.locator("#findings")).to_contain_text("Nothing ran.")
    picture(page, "compile-error")
    write_kernel(page, MENDED)
    page.get_by_role("button", name="Debug", exact=True).click()
    assert line_of(page) == 7
    assert source_texts(page) == MENDED.split("\n")


def test_an_edit_that_does_not_compile_keeps_its_text(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    text = (ROOT / "examples/vector_add_missing_mask.py").read_text().replace("left + right)", "left + rihgt)")
    edit(page)
    write_kernel(page, text)
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#edit .errors")).to_contain_text("rihgt")
    expect_kernel_text(page, text)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(editor(page)).to_be_hidden()
    edit(page)
    expect_kernel_text(page, text)


def test_an_edit_that_does_not_compile_leaves_nothing_of_the_run_before(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    press(page, "c")
    page.get_by_role("button", name="explain LS101").first.click()
    expect(page.locator("#explain .cards > li").first).to_contain_text("LS101")
    expect(page.get_by_role("button", name="load of x")).to_be_visible()
    expect(page.locator("#tile canvas")).to_have_count(1)
    edit(page)
    write_kernel(page, kernel_text(page).replace("left + right)", "left + rihgt)"))
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#edit .errors")).to_contain_text("rihgt")
    for part in ("#tile", "#grid", "#results", "#findings", "#memory", "#coverage", "#timeline", "#cost"):
        expect(page.locator(f"{part} .body")).to_have_text("Nothing ran.")
    expect(page.locator("#explain .cards")).to_have_count(0)
    expect(page.locator("#explain")).to_contain_text("Nothing ran.")
    expect(page.locator("#pictures .choice button")).to_have_count(0)
    expect(page.locator("#pictures .body")).to_contain_text("Nothing ran.")
    expect(page.locator("#tile select option")).to_have_count(0)


def test_the_status_names_the_line_of_the_finding(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    line = press(page, "c")
    assert "tl.load(x + index)" in page.locator("#source li.current code").inner_text()
    expect(page.locator("#status")).to_contain_text(f"LS101: out-of-bounds read: x[100..127]")
    expect(page.locator("#status")).to_contain_text(f", line {line}")
    expect(page.locator("#memory")).to_contain_text("28 out of bounds")
    assert "tl.load(y + index)" in page.locator(f"#source li[data-line='{press(page, 'c')}'] code").inner_text()


def test_check_compares_with_what_is_expected(serve, page, tmp_path):
    np = pytest.importorskip("numpy")
    x = np.random.default_rng(1).standard_normal((5, 100), dtype=np.float32)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "want.npy", e / e.sum(axis=1, keepdims=True))
    page.goto(serve("tests/debugger/padded.py::softmax", "--grid", "rows", f"x=@{tmp_path}/x.npy", "out=zeros:f32[5,100]", "rows=5", "columns=100", "stride=100", "BLOCK=128",
                    "--expect", f"out=@{tmp_path}/want.npy").address)  # fmt: skip
    line_of(page)
    tab(page, "Findings")
    page.get_by_role("button", name="Check everything", exact=True).click()
    expect(page.locator("#findings .compared")).to_contain_text(re.compile(r"\b500 of 500\b"))
    expect(page.locator("#findings li b", has_text="LS608")).to_have_count(1)
    expect(page.locator("#findings")).not_to_contain_text("None under all checkers")
    settle(page)
    picture(page, "expected")


# The first conversation never answers what is typed, and nobody is told that it ended: as a worker that is ended does.
MUTE = """
const Real = WebSocket;
let conversations = 0;
window.WebSocket = class extends Real {
  set onmessage(hear) {
    const is_first = ++conversations === 1;
    super.onmessage = (event) => {
      if (!is_first || !/"command":\\s*"evaluate"/.test(event.data)) hear(event);
    };
  }
  set onclose(hear) {}
};"""


def test_a_new_run_does_not_wait_for_what_was_typed_in_the_one_before(serve, page):
    page.add_init_script(MUTE)
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    tab(page, "Console")
    page.locator("#console-input").fill("1 + 2")
    page.keyboard.press("Enter")
    edit(page)
    write_kernel(page, kernel_text(page) + "\n")
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#status")).to_contain_text("LS101")
    settle(page)
    tab(page, "Console")
    page.locator("#console-input").fill("3 + 4")
    page.keyboard.press("Enter")
    expect(page.locator("#console-output")).to_contain_text("7")
