"""The page of `lockstep serve` as a person uses it, in a real browser."""

from __future__ import annotations

import json
import re

import pytest
from conftest import ROOT, editor, expect_kernel_text, picture, tab, write_kernel

expect = pytest.importorskip("playwright.sync_api").expect
MISSING_MASK = ["examples/vector_add_missing_mask.py::vector_add", "--grid", "cdiv(n, BLOCK)", "x=arange:f32[100]", "y=ones:f32[100]", "out=empty:f32[100]", "n=100", "BLOCK=64"]  # fmt: skip


def settle(page) -> None:
    """Until the launch stands and the page has asked for all of that."""
    expect(page.locator("body[data-status=stopped][data-settled=true]")).to_have_count(1)


def line_of(page) -> int:
    """The line that is marked, once the launch stands."""
    settle(page)
    current = page.locator("#source .column:not(.ttir) li.current")
    expect(current).to_have_count(1)
    return int(current.get_attribute("data-line"))


def press(page, key: str) -> int:
    """The line where the launch stands after a key, which the page takes at once: from then on it is not settled. 0 at
    the end, where no line is marked."""
    page.keyboard.press(key)
    settle(page)
    if "the launch has ended" not in page.locator("#status").inner_text():
        return line_of(page)
    expect(page.locator("#source li.current")).to_have_count(0)
    return 0


def test_steps_go_forwards_and_backwards(serve, page):
    page.goto(serve().address)
    expect(page.locator("#source li[data-line]")).to_have_count(len((ROOT / "examples/softmax.py").read_text().split("\n")))
    first = line_of(page)
    lines = [press(page, "n") for _ in range(4)]
    assert lines == sorted(lines) and lines[-1] > first
    picture(page, "softmax")
    assert [press(page, "b") for _ in range(4)] == [*lines[-2::-1], first]
    assert page.locator("#status").inner_text().strip()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_enabled()


def test_values_of_a_tile_lane_by_lane(serve, page):
    page.goto(serve().address)
    line_of(page)
    for _ in range(4):
        press(page, "n")
    page.locator("#tile select").select_option("inside")
    expect(page.locator("#tile .body")).to_contain_text("i1")
    canvas = page.locator("#tile canvas")
    canvas.press("End")
    expect(page.locator("#tile dl")).to_contain_text("[127]")
    expect(page.locator("#tile dl")).to_contain_text("false")
    canvas.press("Home")
    expect(page.locator("#tile dl")).to_contain_text("true")


def test_the_access_of_a_line_is_drawn(serve, page):
    page.goto(serve().address)
    line_of(page)
    while not page.locator("#source li.current code").inner_text().strip().startswith("value ="):
        press(page, "n")
    tab(page, "Memory")
    memory = page.locator("#memory")
    expect(memory).to_contain_text("tl.load of x: 100 of 128 lanes, 28 masked off")
    expect(memory).to_contain_text(re.compile(r"from lane to lane\s*4 bytes"))
    assert memory.locator(".stretch").count() > 4
    picture(page, "load")


def test_a_finding_stands_at_its_line(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    press(page, "c")
    expect(page.locator("#findings li b").first).to_have_text("LS101")
    expect(page.locator("#source li.fault")).to_have_count(1)
    expect(page.locator("#grid .cell.focus, #grid .cell.fault").first).to_be_visible()
    picture(page, "finding")


def test_a_button_that_says_the_same_stays_the_same_button(serve, page):
    """Or a click and the keyboard's focus get lost where the page asks once more while it stands."""
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    press(page, "c")
    explain = page.get_by_role("button", name="explain LS101").first
    page.get_by_role("button", name="Check everything", exact=True).click()
    expect(page.get_by_role("button", name="Check everything", exact=True)).to_be_enabled()
    explain.focus()
    page.locator("#grid .cell.focus").evaluate("(cell) => (cell.dataset.mine = 'yes')")
    page.get_by_role("button", name="Check everything", exact=True).evaluate("(button) => button.click()")
    expect(page.get_by_role("button", name="Check everything", exact=True)).to_be_enabled()
    settle(page)
    expect(explain).to_be_focused()
    expect(page.locator("#grid .cell.focus[data-mine=yes]")).to_have_count(1)


# Messages that hold this text are late; what follows them is, too.
LATE = """
const Real = WebSocket;
window.WebSocket = class extends Real {
  set onmessage(hear) {
    let before = Promise.resolve();  // messages keep their order
    super.onmessage = (event) => {
      const wait = event.data.replaceAll(/\\s/g, "").includes(LATE) ? 1500 : 0;
      before = before.then(() => new Promise((done) => setTimeout(done, wait))).then(() => hear(event));
    };
  }
};"""


def make_late(page, text: str) -> None:
    page.add_init_script(f"const LATE = {json.dumps(text)};{LATE}")


@pytest.mark.parametrize("stack", ["at once", "late"])
def test_why_tells_the_chain(serve, page, stack):
    """Also if a person is quicker than the answer that says in which frame the launch stands."""
    if stack == "late":
        make_late(page, '"command":"stackTrace"')
    page.goto(serve().address)
    line_of(page)
    page.keyboard.press("c")
    expect(page.locator("#status")).to_contain_text(re.compile("end", re.I))
    page.keyboard.press("w")
    page.keyboard.type("out[0,3]")
    page.keyboard.press("Enter")
    cards = page.locator("#explain .cards li")
    expect(cards.first).to_contain_text("tl.store")
    expect(page.locator("#explain")).to_contain_text("x[0,0] to [0,99]")
    picture(page, "why")


def test_the_console_takes_expressions_and_commands(serve, page):
    page.goto(serve().address)
    line_of(page)
    page.keyboard.press(":")
    for text, answer in (("1 + 2", "3"), ("info args", "columns"), ("nonsense(", "")):
        page.locator("#console-input").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("#console-output")).to_contain_text(answer)
    expect(page.locator("#console-output .important")).to_have_count(1)


@pytest.mark.parametrize("message", ['"command":"evaluate"', '"event":"stopped"', '"command":"stackTrace"'])
def test_a_question_waits_for_what_was_typed(serve, page, message):
    """A person types on while a command of the console moves the launch: the question is of where it stands then."""
    make_late(page, message)
    page.goto(serve().address)
    line_of(page)
    tab(page, "Console")
    page.locator("#console-input").fill("turn")
    page.keyboard.press("Enter")
    tab(page, "Why")
    page.locator("#why-input").fill("out[0,3]")
    page.keyboard.press("Enter")
    expect(page.locator("#explain .cards li").first).to_contain_text("tl.store")
    settle(page)


def test_a_breakpoint_and_a_program_of_the_grid(serve, page):
    page.goto(serve().address)
    line_of(page)
    store = page.locator("#source li", has_text="tl.store").get_attribute("data-line")
    page.get_by_role("button", name=f"breakpoint at line {store}", exact=True).click()
    assert press(page, "c") == int(store)
    page.get_by_role("button", name=re.compile(r"^program \(2, 0, 0\)")).click()
    expect(page.locator("#grid")).to_contain_text("program (2, 0, 0)")


def test_ttir_stands_beside_the_source(serve, page):
    page.goto(serve().address)
    line_of(page)
    page.keyboard.press("t")
    expect(page.locator("#source .ttir li.current")).to_have_count(1)
    expect(page.locator("#source")).to_contain_text("tt.get_program_id")


def test_a_link_leads_back(serve, page, browser):
    server = serve()
    page.goto(server.address)
    line_of(page)
    for _ in range(3):
        press(page, "n")
    where = line_of(page)
    other = browser.new_page()
    other.goto(page.url)
    expect(other.locator("body")).to_have_attribute("data-status", "stopped")
    expect(other.locator(f"#source li.current[data-line='{where}']")).to_have_count(1)
    other.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_narrow_and_wide_pages_are_accessible(serve, page, width, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    press(page, "c")
    expect(page.locator("#findings li").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    picture(page, f"{theme}-{width}")
    found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []


def test_number_formats_are_exact(serve, page):
    """What the page makes of bits, beside ml_dtypes and NumPy."""
    np, ml = pytest.importorskip("numpy"), pytest.importorskip("ml_dtypes")
    types = {"f16": np.float16, "bf16": ml.bfloat16, "f8E5M2": ml.float8_e5m2, "f8E4M3FN": ml.float8_e4m3fn}
    page.goto(serve().address)
    values = [0.0, -0.0, 1.0, -1.5, 3.14159, 448.0, 449.0, 464.1, 1e-7, 6e-8, 2.0**-149, 65504.0, 65519.9, 65520.0, 1e39, -57344.0, 0.1]
    values += [float(v) for v in np.random.default_rng(1).standard_normal(300) * 10.0 ** np.random.default_rng(2).integers(-9, 9, 300)]
    for kind, dtype in types.items():
        unsigned = np.uint8 if dtype(0).itemsize == 1 else np.uint16
        finite = [v for v in values if kind != "f8E4M3FN" or abs(v) < 448]
        want = [int(dtype(v).view(unsigned)) for v in finite]
        got = page.evaluate(
            "async ([kind, values]) => { const f = await import('/js/formats.js'); return values.map((v) => Number(f.rounded(kind, v))); }",
            [kind, [v if v != 0 or str(v) != "-0.0" else -0.0 for v in finite]])  # fmt: skip
        assert [(v, a, b) for v, a, b in zip(finite, want, got, strict=True) if a != b] == []
        bits = list(range(256)) if unsigned is np.uint8 else list(range(0, 65536, 37))
        back = page.evaluate(
            "async ([kind, bits]) => { const f = await import('/js/formats.js'); return bits.map((b) => String(f.valueOf(kind, BigInt(b)))); }",
            [kind, bits])  # fmt: skip
        for one, text in zip(bits, back, strict=True):
            number = float(np.array(one, unsigned).view(dtype))
            assert (number != number and text == "NaN") or float(text.replace("Infinity", "inf")) == number, (kind, one, text)


def test_a_kernel_is_edited_and_nothing_is_written(serve, page):
    text = (ROOT / "examples/vector_add_missing_mask.py").read_text()
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect_kernel_text(page, text)
    number = page.locator("#edit .cm-lineNumbers .cm-gutterElement", has_text=re.compile("^3$"))
    assert number.bounding_box()["y"] == page.locator("#edit .cm-line").nth(2).bounding_box()["y"], "a number stands beside its line"
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#findings li b").first).to_have_text("LS101")
    page.get_by_role("button", name="Edit", exact=True).click()
    write_kernel(page, re.sub(r"tl.load\((\w+) \+ index\)", r"tl.load(\1 + index, mask=index < n)", text).replace("left + right)", "left + right, mask=index < n)"))
    picture(page, "edit")
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#status")).to_contain_text("the launch has ended")
    expect(page.locator("#findings")).to_contain_text("None")
    assert (ROOT / "examples/vector_add_missing_mask.py").read_text() == text
