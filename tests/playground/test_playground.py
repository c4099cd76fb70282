"""The playground as a learner uses it: edit, run, see the finding, step, why, lessons, bugs, links; and that hostile links stay texts."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from conftest import editor, kernel_text, picture, tab, write_kernel

expect = pytest.importorskip("playwright.sync_api").expect


def standing(page) -> int:
    expect(page.locator("body[data-status=stopped][data-settled=true]")).to_have_count(1)
    expect(page.locator("#source li.current")).to_have_count(1)
    return int(page.locator("#source li.current").get_attribute("data-line"))


def press(page, key: str) -> int:
    page.keyboard.press(key)  # the page is not settled from then on
    return standing(page)


def link_of(kernel: dict) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(kernel).encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_opens_with_softmax_and_steps(playground, page):
    page.goto(playground)
    first = standing(page)
    second = press(page, "n")
    assert second > first
    assert press(page, "b") == first
    picture(page, "playground-softmax")


def test_edit_run_finding_back_why(playground, page):
    page.goto(playground)
    standing(page)
    page.locator("#examples").select_option("vector_add")
    standing(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    write_kernel(page, kernel_text(page).replace("tl.load(x + index, mask=inside)", "tl.load(x + index)"))
    page.locator("#edit-arguments").fill("x=randn:f32[100] y=randn:f32[100] out=empty:f32[100] n=100 BLOCK=64")
    page.locator("#edit-grid").fill("cdiv(n, BLOCK)")
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#findings li b").first).to_have_text("LS101")
    picture(page, "playground-finding")
    picture(page, "playground", height=790)  # README's
    at = standing(page)
    assert press(page, "b") <= at
    press(page, "n")
    page.keyboard.press("w")
    page.locator("#explain input").first.fill("out[3]")
    page.keyboard.press("Enter")
    expect(page.locator("#explain .cards li").first).to_be_visible()
    picture(page, "playground-why")


def test_errors_stand_at_their_lines(playground, page):
    page.goto(playground)
    standing(page)
    page.keyboard.press("e")
    text = editor(page)
    lines = kernel_text(page).split("\n")
    wrong = next(i for i, line in enumerate(lines) if "tl.load" in line)
    lines[wrong] = lines[wrong].replace("tl.load", "tl.lode")
    write_kernel(page, "\n".join(lines))  # Playwright's fill() leaves a style in the editor, which the page's policy forbids
    text.press("Control+Enter")
    expect(page.locator("#edit .errors")).to_contain_text("^")
    expect(page.locator("#edit .cm-lineNumbers .cm-fault")).to_have_text(str(wrong + 1))
    picture(page, "playground-error")


def test_a_lesson_is_solved(playground, page):
    page.goto(playground)
    standing(page)
    page.locator("#menu").get_by_role("button", name="Lessons").click()
    page.locator("#lessons .lessons button").first.click()
    page.locator("#lessons").get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#lessons .verdict .bad")).to_be_visible()
    page.locator("#lessons").get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator("#lessons .hint")).to_have_count(1)
    page.locator("#lessons").get_by_role("button", name="Solution", exact=True).click()
    page.locator("#lessons").get_by_role("button", name="Put it into the editor", exact=True).click()
    page.locator("#lessons").get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#lessons .verdict .good")).to_be_visible()
    picture(page, "playground-lesson")
    page.locator("#lessons").get_by_role("button", name="All", exact=True).click()
    expect(page.locator("#lessons .lessons li").first).to_contain_text("solved")


@pytest.mark.campaign
def test_every_lesson_and_bug_is_what_it_says(playground, page):
    """Starts are not solved; solutions are."""
    page.goto(playground)
    standing(page)
    wrong = []
    for kind, word in (("lessons", "lesson"), ("bugs", "bug")):
        for one in json.loads(page.request.get(f"{playground}{kind}.json").text()):
            page.goto(f"{playground}?{one['id']}#{word}={one['id']}")
            verdict = page.locator("#lessons .verdict p")
            for solved in (False, True):
                if solved:
                    page.locator("#lessons").get_by_role("button", name="Solution" if kind == "lessons" else "Diagnosis").click()
                    page.locator("#lessons").get_by_role("button", name="Put it into the editor", exact=True).click()
                page.locator("#lessons").get_by_role("button", name="Check", exact=True).click()
                expect(verdict).not_to_have_text("running …")
                if ("good" in (verdict.get_attribute("class") or "")) != solved:
                    wrong.append((one["id"], solved, verdict.inner_text()))
    assert not wrong, "\n".join(f"{name} is {'not ' if solved else ''}solved: {said}" for name, solved, said in wrong)


def test_a_bug_has_its_diagnosis(playground, page):
    page.goto(f"{playground}#bug=LS101_wrong_bound")
    page.locator("#lessons").get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#lessons .verdict .bad")).to_contain_text("LS101")
    page.locator("#lessons").get_by_role("button", name="Diagnosis", exact=True).click()
    expect(page.locator("#lessons .hints pre").first).to_contain_text("[LS101]")
    picture(page, "playground-bug")


def test_a_long_launch_can_be_paused_and_a_stuck_one_ended(playground, page):
    page.goto(playground)
    standing(page)
    page.keyboard.press("e")
    write_kernel(page, 
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef spin(out, n):\n    total = 0\n    for i in range(n):\n        total += i\n    tl.store(out + tl.program_id(0), total)\n"
    )
    page.locator("#edit-arguments").fill("out=empty:i32[100000] n=20000")
    page.locator("#edit-grid").fill("100000")
    page.locator("#edit-options").fill("--check none")
    page.locator("#edit").get_by_role("button", name="Debug", exact=True).click()
    standing(page)
    page.locator("h1").click()
    page.keyboard.press("c")
    expect(page.locator("body[data-status=running]")).to_have_count(1)
    assert page.evaluate("new Promise((done) => setTimeout(() => done(7), 20))") == 7, "the page answers"
    page.keyboard.press("p")
    expect(page.locator("body[data-status=stopped]")).to_have_count(1)
    page.keyboard.press("e")
    page.locator("#edit-arguments").fill("out=empty:i32[1] n=2000000000")
    page.locator("#edit-grid").fill("1")
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
    page.locator("h1").click()
    page.keyboard.press("p")
    expect(page.locator("#edit .errors")).to_contain_text("did not pause")
    page.locator("#edit-arguments").fill("out=empty:i32[1] n=20")
    page.locator("#edit").get_by_role("button", name="Debug", exact=True).click()
    standing(page)


def test_a_link_carries_the_kernel(playground, page, browser):
    page.goto(playground)
    standing(page)
    page.keyboard.press("e")
    write_kernel(page, "# mine\n" + kernel_text(page))
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_role("button", name="Link copied", exact=True)).to_be_visible()
    other = browser.new_page()
    other.goto(page.url)
    expect(other.locator("#edit .cm-line").first).to_have_text("# mine")
    other.close()


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("AAAA", "damaged"),
        ("%%%", "damaged"),
        ("A" * 70_000, "too long"),
        (link_of({"text": "x" * 10_000_000})[:60_000], "more than"),
        (link_of({"no": "kernel"}), "no kernel"),
    ],
)
def test_hostile_links_are_refused(playground, page, link, said):
    page.goto(f"{playground}#kernel={link}")
    expect(page.locator("#status")).to_contain_text(said)


def test_a_link_is_only_text(playground, page):
    script = "<img src=x onerror='window.pwned = 1'></textarea><script>window.pwned = 1</script>"
    hostile = {"text": f"# {script}\nimport triton\n\n\n@triton.jit\ndef k(out):\n    pass\n", "grid": script, "arguments": [script], "options": [script], "path": "/etc/passwd"}  # fmt: skip
    page.goto(f"{playground}#kernel={link_of(hostile)}")
    expect(editor(page)).to_contain_text("img src")
    page.locator("#edit").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#edit .errors")).not_to_be_empty()
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.querySelectorAll('img').length") == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_accessible(playground, page, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(playground)
    standing(page)
    page.locator("#menu").get_by_role("button", name="Lessons").click()
    page.locator("#lessons .lessons button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    picture(page, f"playground-{width}")
    found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []
