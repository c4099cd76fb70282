"""What a learner asks of the page, and what it takes: clicks and keys from the opened page, seconds until the answer is there.

    python bench/page.py build/lockstep

Drives Debian's Chromium by Playwright. The table in docs/page.md is from here."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SOFTMAX = "examples/softmax.py::softmax --grid 4 x=randn:f32[4,100] out=empty:f32[4,100] x_stride=100 out_stride=100 rows=4 columns=100 BLOCK=128"
MASK = "examples/vector_add_missing_mask.py::vector_add --grid 2 x=arange:f32[100] y=ones:f32[100] out=empty:f32[100] n=100 BLOCK=64"
MATMUL = "examples/matmul.py::matmul --grid 4 a=randn:f16[64,96] b=randn:f16[96,64] out=empty:f16[64,64] m=64 n=64 k=96 a_row=96 a_column=1 b_row=64 b_column=1 out_row=64 out_column=1 TILE_M=32 TILE_N=32 TILE_K=32 GROUP=2"
COUNTER = "tests/findings/LS302_counter/bad/kernel.py::count_positive --grid 16 x=randn:f32[1000] count=zeros:i32[1] n=1000 BLOCK=64"


class Hand:
    """Counts what a person does."""

    def __init__(self, page: Page) -> None:
        self.page, self.actions = page, 0

    def click(self, name: str, role: str = "button") -> None:
        self.actions += 1
        self.page.get_by_role(role, name=re.compile(name)).first.click()

    def key(self, key: str) -> None:
        self.actions += 1
        seen = self.page.get_attribute("body", "data-seen")
        self.page.keyboard.press(key)
        expect(self.page.locator(f"body[data-status=stopped]:not([data-seen='{seen}'])")).to_have_count(1)

    def press(self, where: str, key: str) -> None:
        self.actions += 1
        self.page.locator(where).last.press(key)

    def type(self, text: str) -> None:
        self.actions += 1
        self.page.keyboard.press("w")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def to_line(self, number: int) -> None:
        """A breakpoint, and on to it."""
        self.click(f"^breakpoint at line {number}$")
        self.key("c")

    def sees(self, where: str, text: str) -> None:
        expect(self.page.locator(where).first).to_contain_text(re.compile(text))


def lanes(hand: Hand) -> None:
    hand.to_line(15)
    hand.sees("#memory", "100 of 128 lanes, 28 masked off")


def reduction(hand: Hand) -> None:
    hand.to_line(16)
    hand.sees(".pictures .told", "lane i with lane i")


def why(hand: Hand) -> None:
    hand.key("c")
    hand.type("out[0,3]")
    hand.sees("#explain .cards", "tt.store")


def back(hand: Hand) -> None:
    hand.to_line(16)
    hand.key("b")
    hand.sees("#source .current", "value =")


def cost(hand: Hand) -> None:
    hand.click("^Count$")
    hand.sees("#cost", "bound by memory")


def product(hand: Hand) -> None:
    hand.to_line(37)
    hand.press(".product canvas", "ArrowDown")
    hand.sees(".product .told", r"total\[1, 0\]")
    hand.click("next iteration")
    hand.sees(".product", "iteration 1 of 3")


def bounds(hand: Hand) -> None:
    hand.key("c")
    hand.click("explain LS101")
    hand.sees("#explain .parts", "the program's id")


def orders(hand: Hand) -> None:
    hand.click("^Check$")
    hand.click("explain LS302")
    hand.click("Two orders")
    hand.sees("#orders .told", "in one order and as")


QUESTIONS: list[tuple[str, str, Callable[[Hand], None]]] = [
    ("which lanes of this load are on, which bytes and sectors do they touch", SOFTMAX, lanes),
    ("in which order are the lanes of a maximum combined", SOFTMAX, reduction),
    ("what made out[0,3]", SOFTMAX, why),
    ("what was it one line before", SOFTMAX, back),
    ("what bounds the launch, and which line costs most", SOFTMAX, cost),
    ("where are the tiles of A and B now, and in the next iteration; the sum of one element so far", MATMUL, product),
    ("which program reads out of bounds, and what its index was made of", MASK, bounds),
    ("what happens if two programs come in another order", COUNTER, orders),
]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("lockstep")
    lockstep = words.parse_args().lockstep
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for question, launch, answer in QUESTIONS:
            server = subprocess.Popen([lockstep, "serve", *launch.split()], cwd=ROOT, stdout=subprocess.PIPE, text=True)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            began = time.monotonic()
            page.goto(server.stdout.readline().split()[-1])
            expect(page.locator("body[data-status=stopped]:not([data-seen='0'])")).to_have_count(1, timeout=60_000)
            opened = time.monotonic() - began
            hand = Hand(page)
            began = time.monotonic()
            answer(hand)
            print(f"{question}: {hand.actions} clicks or keys, {time.monotonic() - began:.1f} s (opened in {opened:.1f} s)", flush=True)
            page.close()
            server.terminate()
            server.wait()
        browser.close()


if __name__ == "__main__":
    main()
