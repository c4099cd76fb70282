"""Recorded runs (`lockstep trace`) as a person opens them: from a file, without a server."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import time
import zlib
from pathlib import Path

import pytest
from chromium import PATIENCE
from conftest import ROOT, SOFTMAX, picture, tab
from test_hostile import HOSTILE
from test_page import MISSING_MASK, line_of, press

expect = pytest.importorskip("playwright.sync_api").expect
ROWS = ["examples/softmax.py::softmax", "--grid", "rows", "x=randn:f32[64,781]", "out=empty:f32[64,781]", "x_stride=781", "out_stride=781", "rows=64", "columns=781", "BLOCK=1024"]  # fmt: skip
OPENED = """new MutationObserver(() => { if (document.body?.dataset.seen > 0) window.opened ??= performance.now(); })
  .observe(document, { attributes: true, subtree: true });"""


def record(folder: Path, *words: str, code: int = 0) -> Path:
    """The file that was written."""
    file = folder / "trace.html"
    done = subprocess.run([os.environ["LOCKSTEP_EXECUTABLE"], "trace", *words, "--html", str(file)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith(f"wrote {file}: "), done.stdout
    return file


@pytest.fixture(scope="module")
def softmax(tmp_path_factory) -> Path:
    """Four programs, recorded once."""
    return record(tmp_path_factory.mktemp("softmax"), *SOFTMAX)


def shown(page) -> dict[str, list[str]]:
    """What the panels say now."""
    texts = [page.locator(name).inner_text() for name in ("#source li.current", "#tile .body", "#memory .body", "#grid .counts")]
    return {"panels": texts, "beside": page.locator("#source .beside").all_inner_texts()}


def expect_the_same(one, other) -> None:
    """Panels ask for more once the launch stands: the two must come to say the same, and go on saying it."""
    end, before, now = time.monotonic() + PATIENCE / 1000, None, (shown(one), shown(other))
    while time.monotonic() < end and not (now[0] == now[1] and now == before):
        time.sleep(0.03)
        before, now = now, (shown(one), shown(other))
    assert now[0] == now[1]


def test_it_shows_what_the_server_shows(serve, page, browser, softmax):
    served = browser.new_page()
    served.goto(serve().address)
    page.goto(softmax.as_uri())
    for keys in ("n", "n", "n", "i", "i", "b", "B", "n", "n", "n", "n", "i", "b"):
        assert line_of(page) == line_of(served)
        expect_the_same(page, served)
        press(page, keys), press(served, keys)
    picture(page, "trace")
    for opened in (page, served):
        opened.keyboard.press("c")
        expect(opened.locator("#status")).to_contain_text("the launch has ended")
        opened.keyboard.press("b")
        expect(opened.locator("#grid .cell.focus")).to_have_attribute("aria-label", re.compile(r"\(3, 0, 0\)"))
    served.close()


def test_64_programs_fit_and_open_at_once(page, tmp_path):
    file = record(tmp_path, *ROWS)
    page.add_init_script(OPENED)
    page.goto(file.as_uri())
    line_of(page)
    milliseconds = page.evaluate("window.opened")
    print(f"{file.stat().st_size} bytes, open after {milliseconds:.0f} ms")
    assert file.stat().st_size <= 2 << 20
    expect(page.locator("#grid .cell:not(.notRecorded)")).to_have_count(64)
    expect(page.locator("#grid .note")).to_have_count(0)
    assert milliseconds <= 1000
    page.get_by_role("button", name=re.compile(r"^program \(63, 0, 0\)")).click()
    expect(page.locator("#grid")).to_contain_text("program (63, 0, 0), step 0")
    picture(page, "trace-64")


def test_a_finding_is_told_and_stopped_at(page, tmp_path):
    page.goto(record(tmp_path, *MISSING_MASK, code=1).as_uri())
    line_of(page)
    expect(page.locator("#findings li b").first).to_have_text("LS101")
    press(page, "c")
    expect(page.locator("#status")).to_contain_text("finding LS101")
    expect(page.locator("#source li.fault").first).to_be_visible()
    picture(page, "trace-finding")


def test_what_a_recorded_run_cannot_do_is_said(page, softmax):
    page.goto(softmax.as_uri())
    line_of(page)
    for _ in range(4):
        press(page, "n")
    page.keyboard.press(":")
    for text, answer in (("row", "0"), ("inside[127]", "false"), ("x[0,0]", "."), ("info args", "needs the live debugger"), ("row + 1", "needs the live debugger")):
        page.locator("#console-input").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("#console-output > span").last).to_contain_text(answer)


def ask_why(page, element: str) -> None:
    tab(page, "Why")
    page.locator("#why-input").fill(element)
    page.locator("#why-input").press("Enter")


def test_every_element_of_an_output_says_where_it_comes_from(serve, page, browser, softmax):
    served = browser.new_page()
    served.goto(serve().address)
    page.goto(softmax.as_uri())
    for opened in (page, served):
        line_of(opened)
        opened.keyboard.press("c")
        expect(opened.locator("#status")).to_contain_text("the launch has ended")
    for element in ("out[0,1]", "out[2,57]", "out[3,98]"):
        texts = []
        for opened in (page, served):
            ask_why(opened, element)
            expect(opened.locator("#explain .cards > li").first).to_contain_text(f"program ({element[4]}, 0, 0)")
            texts.append(opened.locator("#explain [aria-live]").inner_text())
        assert texts[0] == texts[1]
    served.close()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    press(page, "r")
    ask_why(page, "out[1,2]")
    expect(page.locator("#explain .note").first).to_have_text("Of the whole launch.")


def test_of_a_large_output_it_knows_evenly_spread_elements(page, tmp_path):
    page.goto(record(tmp_path, *ROWS).as_uri())
    line_of(page)
    ask_why(page, "out[1,3]")
    expect(page.locator("#explain")).to_contain_text(re.compile(r"out\[1,3\] is not among the \d+ of 49984 elements whose origin is in the recorded run"))
    page.get_by_role("button", name=re.compile(r"^The nearest that is: out\[")).click()
    expect(page.locator("#explain .cards > li").first).to_contain_text("tl.store(")


def test_bookmarks_stand_beside_their_texts(serve, page, browser, softmax, tmp_path):
    page.goto(softmax.as_uri())
    line_of(page)
    page.get_by_role("button", name=re.compile(r"^program \(2, 0, 0\)")).click()
    expect(page.locator("#grid")).to_contain_text("program (2, 0, 0)")
    lines = []
    for text in ('the <b>"mask"</b>, & more', "what is loaded"):
        press(page, "n"), press(page, "n")
        lines.append(line_of(page))
        page.keyboard.press("m")
        page.get_by_role("textbox", name="text of the bookmark").fill(text)
        page.keyboard.press("Enter")
    marks = page.get_by_role("region", name="Bookmarks")
    expect(marks.locator("li")).to_have_text(['1 the <b>"mask"</b>, & more', "2 what is loaded"])
    picture(page, "bookmarks")
    other = browser.new_page()
    other.goto(page.url)  # a link has them
    shown = other.get_by_role("region", name="Bookmarks")
    expect(shown.locator("li")).to_have_text(['1 the <b>"mask"</b>, & more', "2 what is loaded"])
    line_of(other)
    shown.get_by_role("button", name="1 the").click()
    expect(other.locator(f"#source li.current[data-line='{lines[0]}']")).to_have_count(1)
    expect(other.locator("#grid")).to_contain_text("program (2, 0, 0)")
    shown.get_by_role("button", name="Next bookmark").click()
    expect(other.locator(f"#source li.current[data-line='{lines[1]}']")).to_have_count(1)
    shown.get_by_role("button", name="Remove").click()
    expect(shown.locator("li")).to_have_count(1)
    other.close()
    page.goto(serve().address + page.url[page.url.index("#"):])
    line_of(page)
    expect(marks.locator("li")).to_have_count(2)
    page.get_by_text("Share", exact=True).click()
    with page.expect_download() as saved:  # and so has a file
        page.get_by_role("button", name="Save as one HTML file").click()
    saved.value.save_as(tmp_path / "run.html")
    page.goto((tmp_path / "run.html").as_uri())
    line_of(page)
    expect(marks.locator("li")).to_have_text(['1 the <b>"mask"</b>, & more', "2 what is loaded"])


def test_a_link_leads_back(page, browser, softmax):
    page.goto(softmax.as_uri())
    line_of(page)
    page.get_by_role("button", name=re.compile(r"^program \(2, 0, 0\)")).click()
    expect(page.locator("#grid")).to_contain_text("program (2, 0, 0)")
    for _ in range(3):
        press(page, "n")
    where = line_of(page)
    other = browser.new_page()
    other.goto(page.url)
    expect(other.locator(f"#source li.current[data-line='{where}']")).to_have_count(1)
    expect(other.locator("#grid")).to_contain_text("program (2, 0, 0)")
    other.close()


def test_programs_that_do_not_fit_are_named(page, tmp_path):
    file = record(tmp_path, *ROWS, "--limit", "600kB")
    assert file.stat().st_size <= 600_000
    page.goto(file.as_uri())
    line_of(page)
    expect(page.locator("#grid .note").first).to_contain_text(re.compile(r"\d+ of 64 programs are not in the recorded run"))
    page.get_by_role("button", name=re.compile(r"not in the recorded run")).first.click()
    expect(page.locator("#status")).to_contain_text("is not in the recorded run")


def damage(text: bytes, change) -> bytes:
    """The file with another recorded run in it."""
    begin = text.index(b'id="trace">') + len(b'id="trace">')
    end = text.index(b"</script>", begin)
    return text[:begin] + base64.b64encode(change(base64.b64decode(text[begin:end]))) + text[end:]


def sections(container: bytes) -> tuple[list[tuple[bytes, int, int]], int]:
    listed, at = [], 12
    for _ in range(int.from_bytes(container[8:12], "little")):
        length = int.from_bytes(container[at : at + 2], "little")
        numbers = [int.from_bytes(container[at + 2 + length + 4 * i :][:4], "little") for i in range(2)]
        listed.append((container[at + 2 : at + 2 + length], *numbers))
        at += 10 + length
    return listed, at


def with_launch(table: bytes):
    """The container with another table for its launch."""

    def change(container: bytes) -> bytes:
        listed, at = sections(container)
        parts = []
        for name, packed, size in listed:
            data = container[at : at + packed]
            at += packed
            parts.append((name, *((zlib.compress(table), len(table)) if name == b"launch" else (data, size))))
        head = b"".join(len(n).to_bytes(2, "little") + n + len(d).to_bytes(4, "little") + s.to_bytes(4, "little") for n, d, s in parts)
        return container[:8] + len(parts).to_bytes(4, "little") + head + b"".join(d for _, d, _ in parts)

    return change


DAMAGES = {
    "empty": lambda _: b"",
    "another version": lambda c: b"LSTRACE9" + c[8:],
    "cut": lambda c: c[: len(c) // 2],
    "many sections": lambda c: c[:8] + b"\xff\xff\xff\xff" + c[12:],
    "turned over": lambda c: c[:200] + bytes(b ^ 0x55 for b in c[200:400]) + c[400:],
    "a bomb": with_launch(bytes(300 << 20)),
    "many elements": with_launch(b"\x01\x00\x08\x01" + b"\xff\xff\xff\xff\x7f" + b"\x00\x00"),
    "a node that names itself": with_launch(b"\x01\x00\x06\x01\x00"),
    "another shape": with_launch(b"\x01\x00\x02"),
}


def test_damaged_files_say_so(page, softmax, tmp_path):
    for name, change in DAMAGES.items():
        file = tmp_path / f"{name}.html"
        file.write_bytes(damage(softmax.read_bytes(), change))
        page.goto(file.as_uri())
        expect(page.locator("#status.bad"), name).to_contain_text("recorded run")


def test_a_program_that_is_damaged_is_not_shown(page, softmax, tmp_path):
    file = tmp_path / "damaged.html"
    file.write_bytes(damage(softmax.read_bytes(), lambda container: container[:-400] + bytes(400)))
    page.goto(file.as_uri())
    line_of(page)
    page.get_by_role("button", name=re.compile(r"^program \(2, 0, 0\)")).click()
    expect(page.locator("#status.bad")).to_contain_text("the recorded run is damaged")


def test_a_kernels_text_is_no_script(page, tmp_path):
    name = "<img src=x onerror=window.pwned=1>.py"
    (tmp_path / name).write_text(HOSTILE)
    file = record(tmp_path, f"{tmp_path / name}::shout", "--grid", "1", "out=empty:i32[8]", "n=4", "BLOCK=8")
    text = file.read_text()
    assert "unsafe" not in text.split("Content-Security-Policy", 1)[1].split(">", 1)[0]
    page.goto(file.as_uri())
    line_of(page)
    page.keyboard.press("t")
    page.keyboard.press("c")
    expect(page.locator("#status")).to_contain_text("ended")
    assert page.evaluate("window.pwned") is None


@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_accessible(page, tmp_path, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(record(tmp_path, *MISSING_MASK, code=1).as_uri())
    line_of(page)
    press(page, "c")
    picture(page, f"trace-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    # axe's script is none of the page's own: the policy holds it off
    page.evaluate("document.querySelector('meta[http-equiv]').remove()")
    found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []
