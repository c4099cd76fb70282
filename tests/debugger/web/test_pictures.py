"""Pictures of ops, findings as cards, two orders of a race, costs, the TTIR beside the source: as a person uses them."""

from __future__ import annotations

import contextlib
import re
import time

import pytest
from conftest import picture, tab
from test_page import MISSING_MASK, line_of, press, settle

expect = pytest.importorskip("playwright.sync_api").expect
PICTURES = ["tests/debugger/dap/kernels/pictures.py::pictures", "--grid", "1", "a=arange:f32[4]", "b=arange:f32[8]", "out=arange:f32[16,32]", "sums=zeros:f32[16,16]", "K=32"]  # fmt: skip
MATMUL = ["examples/matmul.py::matmul", "--grid", "4", "a=randn:f16[64,96]", "b=randn:f16[96,64]", "out=empty:f16[64,64]", "m=64", "n=64", "k=96", "a_row=96", "a_column=1", "b_row=64", "b_column=1", "out_row=64", "out_column=1", "TILE_M=32", "TILE_N=32", "TILE_K=32", "GROUP=2"]  # fmt: skip
COUNTER = ["tests/findings/LS302_counter/bad/kernel.py::count_positive", "--grid", "cdiv(n, BLOCK)", "x=randn:f32[1000]", "count=zeros:i32[1]", "n=1000", "BLOCK=64"]  # fmt: skip


def go_to(page, text: str) -> None:
    """To the first line that begins so."""
    line_of(page)
    number = page.locator("#source li", has=page.locator("code", has_text=re.compile("^ *" + re.escape(text)))).first.get_attribute("data-line")
    page.get_by_role("button", name=f"breakpoint at line {number}", exact=True).click()
    page.keyboard.press("c")
    expect(page.locator(f"#source .column:not(.ttir) li.current[data-line='{number}']")).to_have_count(1)
    settle(page)


def hover(line, lit, count: int) -> None:
    """Points at a line until as many are lit: what moves under a pointer at rest is not pointed at."""
    for _ in range(20):
        line.page.mouse.move(0, 0)
        line.hover()
        with contextlib.suppress(AssertionError):
            return expect(lit).to_have_count(count, timeout=3000)
    expect(lit).to_have_count(count)


def told(page):
    return page.locator(".pictures .told")


def test_a_broadcast_shows_where_lanes_come_from(serve, page):
    page.goto(serve(*PICTURES).address)
    go_to(page, "table =")
    page.get_by_role("button", name="[:, None], broadcast of row: 4 to 4 × 8").click()
    source, result = page.locator(".moves canvas").first, page.locator(".moves canvas").last
    expect(told(page)).to_have_text("the result[0, 0] = 0. is row[0]")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        result.press(key)
    expect(told(page)).to_have_text("the result[2, 1] = 2. is row[2]")
    picture(page, "broadcast")
    source.press("ArrowRight")
    expect(told(page)).to_contain_text("row[3] = 3. goes to 8 lanes, the result[3, 0] the first")
    page.get_by_role("button", name="broadcast of column: 8 to 4 × 8").click()
    expect(told(page)).to_have_text("the result[0, 0] = 0. is column[0]")
    result.hover(position={"x": 5, "y": 5})
    expect(told(page)).to_contain_text("is column[")


def test_a_reduction_is_a_tree_of_halves(serve, page):
    page.goto(serve(*PICTURES).address)
    go_to(page, "added =")
    expect(told(page)).to_contain_text("added[0] = 28. is made of 8 lanes of table along axis 1: lane i with lane i + 4, then halves again, 3 times")
    page.locator(".fold canvas").last.press("ArrowRight")
    expect(told(page)).to_contain_text("added[1] = 36.")
    assert page.locator(".tree .node text").all_text_contents()[-7:] == ["6.", "8.", "10.", "12.", "16.", "20.", "36."]
    page.locator(".fold input").fill("5")
    page.locator(".fold input").press("Tab")
    expect(page.locator(".fold tbody tr").first).to_contain_text("[1] 2.")
    expect(page.locator(".fold tbody tr").first).to_contain_text("[5] 6.")
    picture(page, "reduction")
    page.locator(".fold canvas").first.press("End")
    expect(told(page)).to_contain_text("added[3] = 52.")


def test_a_scan_goes_lane_by_lane(serve, page):
    page.goto(serve(*PICTURES).address)
    go_to(page, "running =")
    expect(told(page)).to_contain_text("running[0] = 160. is made of the lanes from 0 to 3, the last first, along axis 0")
    page.locator(".fold canvas").last.press("End")
    expect(page.locator(".fold tr.marked")).to_have_text("[3]52.52.")
    picture(page, "scan")


def test_a_product_moves_over_k(serve, page):
    page.goto(serve(*MATMUL).address)
    go_to(page, "total +=")
    product = page.locator(".product")
    expect(product).to_contain_text("the 1st of 3 iterations")
    expect(product).to_contain_text("A is a[0 to 31, 0 to 31] of 64 × 96")
    page.locator(".product canvas").last.press("ArrowDown")
    expect(told(page)).to_contain_text("The accumulator is f32; products are added in the order of k")
    page.get_by_role("button", name="last", exact=True).click()
    last = page.locator(".product tbody tr").last.locator("td")
    expect(last.first).to_have_text("31")
    first_sum = last.last.inner_text()
    expect(told(page)).to_contain_text(f"total[1, 0] = {first_sum}: row 1 of left times column 0 of right")
    page.get_by_role("button", name="Next iteration").click()
    expect(product).to_contain_text("the 2nd of 3 iterations")
    expect(product).to_contain_text("B is b[32 to 63, 0 to 31] of 96 × 64")
    page.get_by_role("button", name="Show the sums of all iterations").click()
    expect(page.locator(".product table").last).to_contain_text(first_sum)
    picture(page, "product")
    page.get_by_role("button", name="Previous iteration").click()
    expect(product).to_contain_text("the 1st of 3 iterations")


def test_a_finding_is_a_chain_of_cards(serve, page):
    page.goto(serve(*MISSING_MASK).address)
    line_of(page)
    press(page, "c")
    page.get_by_role("button", name="explain LS101").first.click()
    cards = page.locator("#explain .cards > li")
    expect(cards.first).to_contain_text("LS101 out-of-bounds read: x[100..127]")
    expect(cards.nth(1)).to_contain_text("left = tl.load(x + index)")
    parts = cards.nth(2)
    expect(parts).to_contain_text("the address[36]")
    for words in ("the program's id", "tl.arange", "index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)"):
        expect(parts).to_contain_text(words)
    picture(page, "cards")


def test_a_race_has_two_orders(serve, page):
    page.goto(serve(*COUNTER).address)
    line_of(page)
    tab(page, "Findings")
    page.get_by_role("button", name="Check everything", exact=True).click()
    page.get_by_role("button", name="explain LS302").click()
    page.get_by_role("button", name="Two orders side by side").click()
    orders = page.locator("#orders")
    expect(orders.locator(".told")).to_have_text("count[0] ends as 503 in one order and as 464 in the other.")
    left, right = orders.locator("section.order").first, orders.locator("section.order").last
    assert left.locator(".value").all_inner_texts() == ["count[0] = 0", "count[0] = 0", "count[0] = 37", "count[0] = 37", "count[0] = 76", "count[0] = 503"]
    assert right.locator(".value").all_inner_texts() == ["count[0] = 0", "count[0] = 0", "count[0] = 0", "count[0] = 39", "count[0] = 37", "count[0] = 464"]
    picture(page, "orders")
    page.keyboard.press("Escape")
    expect(orders).not_to_be_visible()
    assert line_of(page), "the launch itself stands where it stood"


def test_a_race_of_a_read(serve, page):
    page.goto(serve("tests/findings/LS309_halo/bad/kernel.py::smooth", "--grid", "cdiv(n, BLOCK)", "x=randn:f32[512]", "n=512", "BLOCK=128").address)  # fmt: skip
    line_of(page)
    tab(page, "Findings")
    page.get_by_role("button", name="Check everything", exact=True).click()
    page.get_by_role("button", name="explain LS309").first.click()
    page.get_by_role("button", name="Two orders side by side").click()
    expect(page.locator("#orders .told")).to_have_text(re.compile(r"program \(1, 0, 0\) reads x\[127\] as \S+ in one order and as \S+ in the other"))


def test_an_order_that_a_schedule_found(serve, page):
    page.goto(serve("tests/findings/LS310_order_of_tickets/bad/kernel.py::keep_positive", "--schedules", "8", "--grid", "cdiv(n, BLOCK)", "x=randn:f32[512]", "count=zeros:i32[1]", "out=zeros:f32[512]", "n=512", "BLOCK=64").address)  # fmt: skip
    line_of(page)
    tab(page, "Findings")
    page.get_by_role("button", name="Check everything", exact=True).click()
    page.get_by_role("button", name="explain LS310").click()
    page.get_by_role("button", name="Two orders side by side").click()
    expect(page.locator("#orders .told")).to_have_text(re.compile(r"out\[0\] ends as 0\.0379\d* in one order and as 0\.0676\d* in the other"))


def test_costs_stand_under_the_roof(serve, page):
    page.goto(serve().address)
    line_of(page)
    tab(page, "Cost")
    cost = page.locator("#cost")
    expect(cost.locator("tbody tr").first).to_contain_text("tl.store")
    expect(cost).to_contain_text("bound by memory")
    expect(cost.get_by_role("img")).to_have_attribute("aria-label", re.compile("the launch has 0.769 FLOP per byte; h200"))
    cost.get_by_role("combobox").select_option("a100")
    expect(cost.locator(".told")).to_contain_text("on a100")
    picture(page, "cost")


def test_ttir_and_source_point_at_each_other(serve, page):
    page.goto(serve().address)
    line_of(page)
    page.keyboard.press("t")
    ops = page.locator("#source .ttir li")
    expect(ops.first).to_contain_text("tt.get_program_id")
    hover(page.locator("#source .column:not(.ttir) li", has_text="inside = column < columns"), page.locator("#source .ttir li.lit"), 2)
    expect(page.locator("#source .ttir li.lit").last).to_contain_text("arith.cmpi")
    hover(page.locator("#source .ttir li", has_text="math.exp"), page.locator("#source .column:not(.ttir) li.lit"), 1)
    expect(page.locator("#source .column:not(.ttir) li.lit")).to_contain_text("power = tl.exp")
    picture(page, "both")
    page.keyboard.press("t")
    expect(page.locator("#source .column:not(.ttir)")).to_be_hidden()


GATED_DELTA = "tests/differential/capsules/gated_delta-0003-chunk_gated_delta_rule_fwd_kernel_h_blo.capsule"


def test_a_recorded_launch_of_gated_delta_net(serve, page):
    """Recorded from Triton on an H200: opened, stepped to a product in the loop over chunks, the product read, gone back."""
    began = time.monotonic()
    page.goto(serve(GATED_DELTA).address)
    first = line_of(page)
    opened = time.monotonic() - began
    expect(page.locator("#grid")).to_contain_text("grid 2 × 2 × 1")
    go_to(page, "%79 = tt.dot")
    page.get_by_role("button", name="dot 64 × 64 · 64 × 32").click()
    expect(page.get_by_role("button", name="dot 64 × 64 · 64 × 32")).to_have_attribute("aria-pressed", "true")
    expect(told(page)).to_contain_text("The accumulator is f32, inputs count as tf32; products are added in the order of k")
    page.locator(".product canvas").last.press("ArrowRight")
    expect(told(page)).to_contain_text("[0, 1] = ")
    picture(page, "gated-delta")
    steps = []
    for key in "nnnnbbbb":
        began = time.monotonic()
        press(page, key)
        steps.append(time.monotonic() - began)
    assert int(page.locator("#source .column:not(.ttir) li.current").get_attribute("data-line")) > first
    print(f"opened in {opened:.1f} s, a step takes {sorted(steps)[4] * 1000:.0f} ms")
    assert sorted(steps)[4] < 5, "a step takes seconds"


def test_the_pictures_of_the_readme(serve, page):
    """LOCKSTEP_SCREENSHOTS=docs/pictures makes them again."""
    page.set_viewport_size({"width": 1400, "height": 1250})  # all of the picture is in sight
    page.goto(serve(*MATMUL).address)
    go_to(page, "total +=")
    page.get_by_role("button", name="Next iteration").click()
    expect(page.locator(".product")).to_contain_text("the 2nd of 3 iterations")
    page.locator(".product canvas").last.press("ArrowDown")
    expect(told(page)).to_contain_text("total[1, 0]")
    page.keyboard.press("h")
    picture(page, "page-dot", "#pictures")
    page.goto(serve(*COUNTER).address)
    line_of(page)
    tab(page, "Findings")
    page.get_by_role("button", name="Check everything", exact=True).click()
    page.get_by_role("button", name="explain LS302").click()
    page.get_by_role("button", name="Two orders side by side").click()
    expect(page.locator("#orders section.order").last).to_be_visible()
    picture(page, "page-orders", "#orders")


@pytest.mark.parametrize("width", [390, 1280])
def test_all_of_it_is_accessible(serve, page, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(serve(*COUNTER).address)
    go_to(page, "found =")
    page.keyboard.press("t")
    tab(page, "Findings")
    page.get_by_role("button", name="Check everything", exact=True).click()
    page.get_by_role("button", name="explain LS302").click()
    tab(page, "Cost")
    expect(page.locator("#cost tbody tr").first).to_be_visible()
    tab(page, "Why")
    expect(page.locator("#explain .cards > li").first).to_be_visible()
    expect(page.locator(".pictures .tree")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    for theme in ("light", "dark"):
        picture(page, f"all-{theme}-{width}")
        check(axe, page)
        page.get_by_role("button", name="Two orders side by side").click()
        expect(page.locator("#orders section.order").last).to_be_visible()
        picture(page, f"orders-{theme}-{width}")
        check(axe, page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name=re.compile("^(light|dark) colours$")).click()


def check(axe, page) -> None:
    found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []
