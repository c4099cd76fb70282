"""`lockstep learn`: lessons and bugs with the native engine; the question, the picture that settles it, progress that is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from conftest import ROOT, picture, write_kernel

expect = pytest.importorskip("playwright.sync_api").expect
SOLUTION = (ROOT / "debugger/web/lessons/03_masks/solution.py").read_text()


class Learning:
    def __init__(self, state, *words: str) -> None:
        self.process = subprocess.Popen([os.environ["LOCKSTEP_EXECUTABLE"], "learn", *words], stdout=subprocess.PIPE, text=True, cwd=state,
                                        env={**os.environ, "XDG_STATE_HOME": str(state)})  # fmt: skip
        line = self.process.stdout.readline()
        assert line.startswith("lockstep learn: open http://"), line
        self.address = line.split()[-1]

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(20) == 130

    def session(self) -> dict:
        return json.loads(urllib.request.urlopen(self.address.replace("/?token", "/session.json?token"), timeout=20).read())


@pytest.fixture
def learn(tmp_path):
    begun = []

    def start(*words: str) -> Learning:
        begun.append(Learning(tmp_path, *words))
        return begun[-1]

    yield start
    for one in begun:
        if one.process.poll() is None:
            one.end()


def open_list(page) -> None:
    page.locator("#lessons").get_by_role("button", name="All", exact=True).click()


def open_lesson(page, title: str) -> None:
    page.get_by_role("button", name=title, exact=True).click()
    expect(page.locator("#lessons h3")).to_have_text(title)


def test_a_lesson_is_asked_shown_solved_and_kept(learn, page, tmp_path):
    first = learn()
    page.goto(first.address)
    expect(page.locator("#lessons h3")).to_have_text("What is a program")  # the first that is not solved
    expect(page.locator("#edit .cm-content")).to_contain_text("def squares")
    open_list(page)
    expect(page.locator("#lessons .lessons li")).to_have_count(31)
    open_lesson(page, "Masks: the tail")
    expect(page.locator("#lessons .question")).to_contain_text("How many lanes of the last program have an element?")
    page.locator("#lessons summary").click()
    expect(page.locator("#lessons details")).to_contain_text("All of them")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#lessons .says")).to_contain_text("The lanes of program 3 count from 96 to 127")
    expect(page.locator("#tile")).to_contain_text("96")
    picture(page, "learn_show_me")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("button", name="Check", exact=True).first.click()
    expect(page.locator("#lessons .verdict")).to_contain_text("LS101")
    write_kernel(page, SOLUTION)
    page.locator("#lessons").get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#lessons .verdict")).to_contain_text("Solved.")
    open_list(page)
    expect(page.locator("#lessons .lessons li").nth(2)).to_contain_text("✓ solved")
    assert first.session()["solved"] == ["03_masks"]
    first.end()
    again = learn()  # another port, another day
    page.goto(again.address)
    open_list(page)
    expect(page.locator("#lessons .lessons li").nth(2)).to_contain_text("✓ solved")
    again.end()
    assert learn("--forget").session()["solved"] == []


@pytest.mark.parametrize("late", ["nothing", "examples", "lessons", "bugs"])
def test_bugs_are_there_too(learn, page, late):
    """Whoever clicks before a file is there gets what was asked for, and not what the page begins with."""
    held = []
    page.route(f"**/{late}.json", lambda route: held.append(route))
    page.goto(learn().address)
    page.get_by_role("button", name="Find the bug").click()
    if late != "nothing":
        page.wait_for_timeout(200)
        for route in held:
            with page.expect_response(f"**/{late}.json"):
                route.continue_()
    expect(page.locator("#lessons .lessons li").nth(100)).to_be_attached()
    page.wait_for_timeout(200)
    expect(page.locator("#lessons h2")).to_have_text("Find the bug")
    expect(page.locator("#lessons .lessons li").nth(100)).to_be_attached()


def test_every_lesson_shows_what_settles_it(learn, page):
    lessons = json.loads(urllib.request.urlopen(learn().address.replace("/?token", "/lessons.json?token"), timeout=20).read())
    assert [one["id"] for one in lessons] == sorted(path.parent.name for path in (ROOT / "debugger/web/lessons").glob("*/lesson.json"))
    page.goto(learn().address)
    open_list(page)
    for lesson in lessons:
        open_lesson(page, lesson["title"])
        page.get_by_role("button", name="Show me").click()
        expect(page.locator("#lessons .says")).to_have_text(lesson["look"]["says"].replace("`", ""))
        value = lesson["look"].get("value")
        if value:
            expect(page.locator("#tile select")).to_have_value(value)
        open_list(page)


def test_lesson_and_picture_are_seen_together(learn, page):
    """At 1,280 x 900 the drawer gives them its room."""
    page.goto(learn().address)
    open_list(page)
    open_lesson(page, "Tiles over K: how two tiles walk")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#lessons .says")).to_be_visible()
    expect(page.locator(".product canvas").first).to_be_visible()
    picture(page, "learn-and-picture")
    box, drawer = page.locator("#pictures").bounding_box(), page.locator("#drawer").bounding_box()
    assert min(box["y"] + box["height"], drawer["y"]) - box["y"] >= 330, (box, drawer)
    page.locator("#lessons").get_by_role("button", name="Close").click()
    expect(page.locator("#results")).to_be_visible()  # the drawer is back


def post(address: str) -> int:
    try:
        return urllib.request.urlopen(urllib.request.Request(address, method="POST", data=b""), timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


def test_progress_is_noted_for_whoever_has_the_token(learn):
    begun = learn()
    base, token = begun.address.split("?token=")
    assert post(f"{base}solved?token={token}&id=03_masks") == 200
    assert post(f"{base}solved?token={token}&id=../../x") == 404
    assert post(f"{base}solved?token={token}") == 404
    assert post(f"{base}solved?token=wrong&id=04_other") == 403
    assert post(f"{base}session.json?token={token}") == 405
    assert begun.session()["solved"] == ["03_masks"]
