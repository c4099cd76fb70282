"""How the page is laid out: the head, the tabs, the results, pinned values, the guide, presenter mode, what can be shared."""

from __future__ import annotations

import os
import re
import shutil

import pytest
from conftest import ROOT, SOFTMAX, editor, picture, tab
from test_edit import BROKEN
from test_padding import MATMUL
from test_padding import SOFTMAX as PADDED
from test_page import MISSING_MASK, line_of, press, settle
from test_pictures import COUNTER, go_to
from test_pictures import MATMUL as WHOLE_MATMUL
from test_trace import record

expect = pytest.importorskip("playwright.sync_api").expect


@pytest.fixture
def expected(tmp_path) -> list[str]:
    """A softmax that forgot -inf, beside what is wanted."""
    np = pytest.importorskip("numpy")
    x = np.random.default_rng(1).standard_normal((5, 100), dtype=np.float32)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "want.npy", e / e.sum(axis=1, keepdims=True))
    return [*PADDED[:3], f"x=@{tmp_path}/x.npy", *PADDED[4:], "--expect", f"out=@{tmp_path}/want.npy"]


def run_to_the_end(page) -> None:
    line_of(page)
    for _ in range(6):
        if press(page, "c") == 0:
            return


def test_tabs_fill_when_they_are_opened(serve, page):
    page.goto(serve().address)
    line_of(page)
    press(page, "n")
    expect(page.get_by_role("tab", name="Results")).to_have_attribute("aria-selected", "true")
    for name, part, text in (("Cost", "#cost", "bound by memory"), ("Timeline", "#timeline", "Time slices 0 to 0 of 1"), ("Writes", "#coverage", "never written"), ("Results", "#results", "Arguments before the launch:")):
        tab(page, name)
        expect(page.locator(part)).to_be_visible()
        expect(page.locator(part)).to_contain_text(text)
    page.get_by_role("tab", name="Results").press("End")
    expect(page.get_by_role("tab", name="Proof")).to_be_focused()
    expect(page.locator("#results")).to_be_hidden()
    page.locator("h1").click()
    page.keyboard.press("4")
    expect(page.locator("#memory")).to_be_visible()
    page.keyboard.press("h")
    expect(page.locator("#memory")).to_be_hidden()
    tab(page, "Memory")
    expect(page.locator("#memory")).to_be_visible()
    edge = page.get_by_role("separator")
    before = page.locator("#drawer").bounding_box()["height"]
    edge.press("ArrowUp")
    assert page.locator("#drawer").bounding_box()["height"] > before


def test_an_open_tab_follows_the_launch(serve, page):
    page.goto(serve().address)
    line_of(page)
    tab(page, "Writes")
    expect(page.locator("#coverage .shares li").first).to_have_text("400 of 400 never written")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.get_by_role("button", name=re.compile(r"^program \(1, 0, 0\)")).click()
    expect(page.locator("#grid")).to_contain_text("program (1, 0, 0)")
    run_to_the_end(page)
    expect(page.locator("#results")).to_be_visible()
    tab(page, "Writes")
    expect(page.locator("#coverage .shares li").first).to_have_text("0 of 400 never written")


def test_results_come_first_at_the_end(serve, page):
    page.goto(serve().address)
    run_to_the_end(page)
    results = page.locator("#results")
    expect(results).to_contain_text("Results of the launch.")
    expect(results.locator("h3")).to_have_text(["out f32[4,100]"])
    canvas = results.locator("canvas")
    canvas.press("End")
    expect(results.locator(".told")).to_contain_text(re.compile(r"out\[3,99\] = \d"))
    expect(page.locator("#verdict")).to_have_text("no findings")  # all checkers have looked
    settle(page)
    page.wait_for_timeout(600)  # the tab has filled itself again
    expect(results.locator(".told")).to_contain_text("out[3,99]")  # and has not forgotten the element
    results.get_by_role("button", name="Who wrote it?").click()
    expect(page.locator("#explain .cards li")).to_contain_text("store by program (3, 0, 0) in line")
    expect(page.locator("#verdict")).to_have_text("no findings")


@pytest.mark.parametrize("kind", ["served", "recorded"])
def test_results_stand_beside_their_reference(serve, page, expected, tmp_path, kind):
    page.goto(serve(*expected).address if kind == "served" else record(tmp_path, *expected, code=1).as_uri())
    run_to_the_end(page)
    results = page.locator("#results")
    expect(results).to_contain_text("500 of 500 differ from what --expect has")
    expect(results.get_by_role("img", name="distance of out from the reference")).to_be_visible()
    worst = results.locator(".worst button")
    expect(worst).to_have_count(6)
    expect(results.locator(".told").last).to_contain_text(re.compile(r"out\[\d,\d+\] = [\d.e-]+, expected [\d.e-]+"))
    picture(page, f"results-{kind}")
    if kind == "recorded":
        return
    expect(page.locator("#verdict")).to_have_text("500 of 500 wrong")
    element = worst.first.inner_text().split()[0]
    worst.first.click()
    cards = page.locator("#explain .cards > li")
    expect(cards.first).to_contain_text(f"LS608 {element} is ")
    expect_the_change(cards.nth(1))
    expect(cards.nth(2)).to_contain_text("tl.load of program")
    expect(cards.nth(2).locator("details[open]")).to_have_count(0)  # TTIR behind a fold
    expect(page.locator("#explain")).to_be_visible()
    settle(page)
    assert "other=0.0" in page.locator("#source li.current code").inner_text(), "it stands at the line that is wrong"
    page.get_by_role("tab", name="Findings").click()
    page.get_by_role("button", name="explain LS608").click()
    expect(cards.first).to_contain_text("LS608")
    expect_the_change(cards.nth(1))  # before what its address is made of
    expect(page.locator("#explain .parts details")).to_have_count(1)


def expect_the_change(card) -> None:
    """Two lines of their own, the one that goes and the one that comes, each with its colour."""
    expect(card.locator(".gone code")).to_have_text(re.compile(r"^- v = tl\.load\(.*other=0\.0\)$"))
    expect(card.locator(".come code")).to_have_text(re.compile(r'^\+ v = tl\.load\(.*other=float\("-inf"\)\)$'))
    colours = [card.locator(one).evaluate("(line) => [getComputedStyle(line).color, getComputedStyle(line.querySelector('code')).fontFamily]") for one in (".gone", ".come")]
    assert colours[0][0] != colours[1][0] and all("mono" in font for _, font in colours)


def test_a_wait_for_the_reference_ends_in_the_worst_element(serve, page, expected):
    """The first button is the element that is farthest off."""
    np = pytest.importorskip("numpy")
    page.goto(serve(*expected).address)
    run_to_the_end(page)
    text = page.locator("#results .worst button").first.inner_text()
    row, column = map(int, re.match(r"out\[(\d+),(\d+)\]", text).groups())
    folder = expected[3].removeprefix("x=@").removesuffix("/x.npy")
    x, want = np.load(f"{folder}/x.npy").astype(np.float64), np.load(f"{folder}/want.npy").astype(np.float64)
    padded = np.concatenate([x, np.zeros((5, 28))], axis=1)
    e = np.exp(padded - padded.max(axis=1, keepdims=True))
    wrong = np.abs((e / e.sum(axis=1, keepdims=True))[:, :100] - want)
    assert np.isclose(wrong[row, column], wrong.max(), rtol=1e-5)


def test_the_head_says_where_it_stands(serve, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(serve(*MATMUL).address)
    go_to(page, "acc += tl.dot")
    expect(page.locator("#position")).to_have_text(re.compile(r"^Program \(0, 0, 0\), line \d+, k = 0, the 1st of 2 iterations$"))
    page.get_by_role("button", name=re.compile("^lockstep run")).click()
    words = page.evaluate("navigator.clipboard.readText()")
    assert words.startswith("lockstep run tests/debugger/padded.py::matmul --grid 'cdiv(M, BM),cdiv(N, BN)' 'a=randn:f32[40,50]'") and words.endswith("BK=32"), words
    press(page, "c")
    expect(page.locator("#verdict")).to_have_text(re.compile(r"^\d errors?$"))
    expect(page.locator("#findings")).to_be_visible()


def test_an_access_is_drawn_in_its_argument(serve, page):
    page.goto(serve(*PADDED).address)
    go_to(page, "v = tl.load")
    access = page.locator(".access")
    expect(access).to_contain_text("tl.load of x: 100 of 128 lanes, x[0, 0] to x[0, 99]; the mask takes 28 away")
    argument = access.get_by_role("img", name="x, with the tile's elements framed")
    expect(argument).to_be_visible()
    lanes = access.get_by_role("img", name=re.compile("^lanes: 100 on, 28 masked off"))
    lanes.press("ArrowRight")
    expect(access.locator(".told")).to_have_text("lane [1] is x[0, 1]")
    lanes.press("End")
    expect(access.locator(".told")).to_have_text("lane [127] is masked off: it touches nothing")
    argument.press("End")
    expect(access.locator(".told")).to_have_text("x[4, 99] is touched by no lane of this tile")
    argument.press("Home")
    expect(access.locator(".told")).to_have_text("lane [0] is x[0, 0]")


def test_elements_are_found_by_strides(serve, page):
    np = pytest.importorskip("numpy")
    page.goto(serve().address)
    find = "async ([offsets, access]) => { const { element_at } = await import('/js/pictures/picture_access.js'); return offsets.map((one) => element_at(one, access)); }"
    for array in (np.zeros((3, 5, 7), np.float32), np.zeros((7, 5, 3), np.float32).T, np.zeros((6, 20), np.float32)[:, :11]):
        access = {"argumentShape": array.shape, "argumentStrides": [one // 4 for one in array.strides], "elementBytes": 4}
        places = list(np.ndindex(array.shape))
        offsets = [sum(i * s for i, s in zip(place, array.strides, strict=True)) for place in places]
        assert page.evaluate(find, [offsets, access]) == list(range(len(places)))
    assert page.evaluate(find, [[44 * 4], {"argumentShape": (6, 11), "argumentStrides": (40, 1), "elementBytes": 4}]) == [15]
    assert page.evaluate(find, [[20 * 4, 2], {"argumentShape": (6, 11), "argumentStrides": (40, 1), "elementBytes": 4}]) == [-1, -1], "between the rows"


@pytest.mark.parametrize("width", [1400, 390])
def test_the_access_comes_before_broadcasts(serve, page, width):
    """And its picture is seen whole above the drawer."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(serve(*MATMUL).address)
    go_to(page, "kb = tl.load")
    choice = page.locator("#pictures .title > .choice button")
    expect(choice).to_have_text(["load of b"])
    canvas = page.locator(".access canvas").first
    expect(page.locator(".access canvas")).to_have_count(2)
    if width == 1400:
        page.locator("#right").evaluate("(column) => (column.scrollTop = 0)")
        box, drawer = canvas.bounding_box(), page.locator("#drawer").bounding_box()
        assert box["y"] + box["height"] <= drawer["y"], "the drawer cuts it"
    controls, tools, verdict = (page.locator(one).bounding_box() for one in ("#controls", "#tools", "#verdict"))
    assert min(controls["y"], verdict["y"]) >= tools["y"] + tools["height"] + 6, "rows of the head touch"
    page.locator("#pictures .moved summary").click()
    moved = page.locator("#pictures .moved button").first
    moved.click()
    expect(page.locator("#pictures .moved button").first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".moves canvas").first).to_be_visible()


@pytest.mark.parametrize("kind", ["served", "recorded"])
def test_what_was_given_empty_is_hatched_until_it_is_stored(serve, page, tmp_path, kind):
    page.goto(serve().address if kind == "served" else record(tmp_path, *SOFTMAX).as_uri())
    line_of(page)
    out = page.get_by_role("region", name="out")
    for panel in (out, page.locator("#tile")):
        expect(panel).to_contain_text("hatched: no program has stored it")
        expect(panel).not_to_contain_text("all are 0")
    out.locator("canvas").press("End")
    expect(out.locator(".told")).to_have_text("out[3,99]: no program has stored it")
    expect(page.get_by_role("region", name="x")).not_to_contain_text("hatched")
    page.get_by_role("button", name=re.compile(r"^program \(1, 0, 0\)")).click()
    run_to_the_end(page)
    expect(page.locator("#results")).to_contain_text("Results of the launch.")
    expect(out).not_to_contain_text("hatched")


def test_tiles_have_rows_of_16_or_32_and_numbers(serve, page):
    page.goto(serve().address)
    line_of(page)
    layout = "async ([shape, count, width]) => { const { layout_of } = await import('/js/pictures/tile_canvas.js'); const { per_row, lines, size } = layout_of(shape, count, width); return [per_row, lines, size]; }"
    for count, rows in ((8, [8, 1]), (128, [16, 8]), (1024, [32, 32]), (4096, [64, 64])):
        assert page.evaluate(layout, [[count], count, 560])[:2] == rows
    assert page.evaluate(layout, [[128], 128, 560])[2] >= 24, "cells of 24 pixels have numbers"
    short = "async (values) => { const { short_number } = await import('/js/pictures/cells.js'); return values.map(([kind, value]) => short_number(kind, value)); }"
    texts = {("f32", 0.5): ".50", ("f32", -0.03125): "-.03", ("f32", 12.3456): "12.3", ("f32", 123.456): "123", ("f32", 1e-7): "1e-7", ("f32", 2e9): "2e9", ("f32", 0.004): ".004",
             ("i32", 127): "127", ("i32", 1234567): "1e6", ("i1", 1): "✓", ("i1", 0): "–"}  # fmt: skip
    assert page.evaluate(short, [list(one) for one in texts]) == list(texts.values())
    for _ in range(4):
        press(page, "n")
    page.locator("#tile select").select_option("inside")
    expect(page.locator("#tile .scale")).to_have_text("✓ true – false")
    page.locator("#tile .as-table summary").click()
    expect(page.locator("#tile .as-table td", has_text="true")).to_have_count(64)  # the first 64 of 128


def test_a_pinned_value_stands_beside_what_it_was(serve, page):
    page.goto(serve(*PADDED).address)
    go_to(page, "v = v - tl.max")
    page.locator("#tile select").select_option("v")
    page.get_by_role("button", name="Pin", exact=True).click()
    pinned = page.get_by_role("region", name="pinned: v")
    expect(pinned.locator("canvas")).to_have_count(1)
    press(page, "n")
    expect(pinned.locator("figcaption")).to_have_text(["before", "now"])
    expect(pinned.locator("canvas")).to_have_count(2)
    page.locator("#tile select").select_option("mask")
    expect(page.locator("#tile .body > p").first).to_contain_text("i1[128]")
    expect(pinned).to_be_visible()
    picture(page, "pinned")
    page.get_by_role("button", name="unpin v").click()
    expect(pinned).to_have_count(0)


def test_nothing_chosen_shows_no_number_of_the_launch(serve, page):
    """Where no line has made anything, an argument's elements, not the first stride."""
    page.goto(serve().address)
    line_of(page)
    expect(page.locator("#tile canvas")).to_have_count(1)
    expect(page.locator("#tile select")).to_have_value("out")  # softmax(out, x, ...)


def test_the_guide_shows_the_mask_and_the_race(serve, page):
    page.goto(serve(*PADDED).address + "#guide=3")
    line_of(page)
    guide = page.get_by_role("region", name="Guide")
    expect(guide).to_contain_text("What does the mask do?")
    guide.get_by_role("button", name="Show me").click()
    expect(guide.get_by_role("status")).to_contain_text("Hatched lanes are masked off")
    expect(page.locator(".access.lit-control")).to_be_visible()
    assert "tl.load" in page.locator("#source li.current code").inner_text()
    settle(page)
    expect(page).to_have_url(re.compile("guide=3"))
    guide.get_by_role("button", name="Previous question").click()
    guide.get_by_role("button", name="Show me").click()
    expect(guide.get_by_role("status")).to_contain_text("name each program that touched out[0,0]")
    expect(page.locator("#explain .cards li").first).to_contain_text("program (0, 0, 0)")
    page.locator("h1").click()
    page.keyboard.press("g")
    expect(guide).to_be_hidden()
    page.goto(serve(*COUNTER).address + "#guide=4")
    line_of(page)
    guide.get_by_role("button", name="Show me").click()
    expect(page.locator("#explain .cards > li").first).to_contain_text("LS302")


def test_the_guide_shows_a_product_and_what_is_wrong(serve, page, expected):
    page.goto(serve(*WHOLE_MATMUL).address + "#guide=5")
    line_of(page)
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_role("button", name="Next iteration")).to_be_visible()
    page.goto(serve(*expected).address + "#guide=1")
    line_of(page)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#results .worst button.lit-control")).to_have_count(1)


def test_a_lessons_question_is_only_a_text(serve, page):
    page.goto(serve().address + "#guide=Why+%3Cimg+src%3Dx+onerror%3D%22window.pwned%3D1%22%3E%3F")
    line_of(page)
    expect(page.get_by_role("region", name="Guide")).to_contain_text('Why <img src=x onerror="window.pwned=1">?')
    assert page.evaluate("window.pwned") is None


def test_presenter_mode_is_large_and_has_no_console(serve, page):
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto(serve().address)
    line_of(page)
    before = page.locator("#source li.current code").bounding_box()["height"]
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("tab", name="Console")).to_be_hidden()
    assert page.locator("#source li.current code").bounding_box()["height"] > 1.4 * before
    over = page.evaluate("[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]")
    assert max(over) <= 0, over
    press(page, "n")
    expect(page).to_have_url(re.compile("present=1"))
    page.reload()
    line_of(page)
    expect(page.get_by_role("button", name="Present")).to_have_attribute("aria-pressed", "true")
    picture(page, "presenter")


def test_what_is_seen_can_be_shared(serve, page, browser, tmp_path):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(serve().address)
    line_of(page)
    press(page, "n")
    page.get_by_text("Share", exact=True).click()
    said = page.locator("#tools").get_by_role("status")
    page.get_by_role("button", name="Copy link").click()
    expect(said).to_have_text("The link is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.get_by_role("button", name="Copy command").click()
    expect(said).to_have_text("The command is copied.")
    assert "examples/softmax.py::softmax" in page.evaluate("navigator.clipboard.readText()")
    expect(page.locator("#results canvas").first).to_be_visible()
    page.get_by_role("button", name="Copy picture").click()
    expect(said).to_have_text(re.compile(r"The picture is (copied|saved)\."))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as one HTML file").click()
    saved.value.save_as(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text()
    assert "codemirror" not in text.lower().replace("code_text.js", ""), "a recorded run edits nothing"
    other = browser.new_page()
    other.goto((tmp_path / "run.html").as_uri())
    assert line_of(other) == 9 or "row" in other.locator("#source li.current code").inner_text()
    other.close()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Copy link")).to_be_hidden()


def two_frames(page):
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_keys_typed_into_the_editor_are_text(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    first = line_of(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    editor(page).press("Control+End")
    for key in "# nnc":
        two_frames(page)  # Chromium tells the editor of the caret a moment later; on a busy machine that takes long
        page.keyboard.type(key)
    expect(editor(page)).to_contain_text("# nnc")
    settle(page)
    page.get_by_role("button", name="Values").click()
    assert line_of(page) == first


@pytest.mark.parametrize("width", [390, 768, 1400, 1920])
def test_four_widths_are_accessible(serve, page, expected, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": width, "height": 1080 if width == 1920 else 900})
    page.goto(serve(*expected).address + "#guide=1")
    line_of(page)
    boxes = {name: page.locator(f"#{name}").bounding_box() for name in ("source", "pictures", "grid", "drawer")}
    if width == 390:
        assert boxes["source"]["y"] < boxes["pictures"]["y"] < boxes["grid"]["y"] < boxes["drawer"]["y"], "the picture stands above the programs"
    if width >= 1400:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "all of it is in sight"
        assert boxes["pictures"]["x"] + boxes["pictures"]["width"] > width - 40, "the right side is used"
    go_to(page, "tl.store")
    page.get_by_role("button", name="store to out").click()
    expect(page.locator(".access canvas")).to_have_count(2)
    check(axe, page, f"at-a-store-{width}")
    page.locator("h1").click()
    run_to_the_end(page)
    expect(page.locator("#results .worst button")).to_have_count(6)
    for theme in ("light", "dark"):
        check(axe, page, f"end-{theme}-{width}")
        page.get_by_role("button", name=re.compile("^(light|dark) colours$")).click()
    page.locator("#results .worst button").first.click()
    expect(page.locator("#explain .come")).to_have_count(2)  # the change that fits, and another one
    settle(page)
    page.locator("h1").click()
    page.keyboard.press("m")
    page.get_by_role("textbox", name="text of the bookmark").fill("here it is wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Bookmarks").locator("li")).to_have_text(["1 here it is wrong"])
    for theme in ("light", "dark"):
        check(axe, page, f"wrong-line-{theme}-{width}")
        page.get_by_role("button", name=re.compile("^(light|dark) colours$")).click()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(editor(page)).to_be_visible()
    check(axe, page, f"editor-{width}")


def check(axe, page, name: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: the page scrolls sideways"
    picture(page, name)
    found = axe.run(page).response["violations"]
    assert [(one["id"], one["impact"], [node["html"] for node in one["nodes"]][:3]) for one in found if one["impact"] in ("serious", "critical", "moderate")] == []


THEMES = ["light", "dark"] if os.environ.get("LOCKSTEP_SCREENSHOTS") else ["light"]


@pytest.mark.parametrize("theme", THEMES)
def test_the_pictures_of_the_page(serve, page, expected, tmp_path, theme):
    """LOCKSTEP_SCREENSHOTS=docs/pictures makes them again."""
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": 1400, "height": 860})
    shutil.copy(ROOT / "tests/debugger/padded.py", tmp_path / "softmax.py")
    here = [word.replace(f"{tmp_path}/", "").replace("tests/debugger/padded.py", "softmax.py") for word in expected]
    page.goto(serve(*here, folder=tmp_path).address)
    run_to_the_end(page)
    expect(page.locator("#results .worst button")).to_have_count(6)
    picture(page, f"page-end-{theme}")
    page.goto(serve(*WHOLE_MATMUL).address)
    go_to(page, "total +=")
    page.get_by_role("button", name="Next iteration").click()
    expect(page.locator(".product")).to_contain_text("the 2nd of 3 iterations")
    page.locator(".product canvas").last.press("ArrowDown")
    expect(page.locator(".pictures .told")).to_contain_text("total[1, 0]")
    page.keyboard.press("h")
    page.locator("#right").evaluate("(column) => (column.scrollTop = 0)")
    picture(page, f"page-matmul-{theme}")
    page.goto(serve(*PADDED).address)
    go_to(page, "tl.store")
    page.get_by_role("button", name="store to out").click()
    page.locator("#tile select").select_option("e")
    expect(page.locator("#tile .padding-legend")).to_contain_text("28 from other=0.0")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("h")
    page.locator("#tile").evaluate("(panel) => panel.scrollIntoView({ block: 'end' })")
    picture(page, f"page-padding-{theme}")
    page.goto(serve(*COUNTER).address)
    run_to_the_end(page)
    page.locator("#verdict").click()
    page.get_by_role("button", name="explain LS302").click()
    expect(page.locator("#explain .cards > li").first).to_contain_text("LS302")
    picture(page, f"page-race-{theme}")
    (tmp_path / "broken.py").write_text(BROKEN)
    page.goto(serve("broken.py::scale", "--grid", "1", "x=arange:f32[50]", "out=zeros:f32[50]", "n=50", "BLOCK=64", folder=tmp_path).address)
    expect(page.locator("#edit .cm-line.cm-fault")).to_have_count(1)
    expect(page.locator("#edit .errors")).to_contain_text("the condition of an if must be a single value")
    picture(page, f"page-compile-error-{theme}")
    page.goto(serve(*PADDED).address + "#guide=3")
    line_of(page)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".access.lit-control canvas")).to_have_count(2)
    settle(page)
    picture(page, f"page-guide-{theme}")
