#!/usr/bin/env python3
"""draw_texts.py SEED [COUNT]: messages, sentences of docs and comments, so many of each, drawn by the seed: what a reviewer reads to
judge the words of the tree (docs/style.md). Generated pages and files are left out."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import check_words
from check_words import ROOT

COMMENT = {".py": re.compile(r"^\s*#(?!!) ?(.*)"), ".cpp": re.compile(r"^\s*///? ?(.*)"), ".h": re.compile(r"^\s*///? ?(.*)"), ".js": re.compile(r"^\s*///? ?(.*)")}
FEWEST_WORDS = 5


def sources() -> list[Path]:
    return check_words.own_sources(*(f"*{suffix}" for suffix in COMMENT))


def messages() -> list[str]:
    found = []
    for path in sources():
        for number, text in check_words.texts_of(path):
            if len(text.split()) >= FEWEST_WORDS and "\n" not in text:
                found.append(f"{path.relative_to(ROOT)}:{number}: {text.strip()}")
    return found


def sentences() -> list[str]:
    found = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        name = page.relative_to(ROOT).as_posix()
        if name not in check_words.GENERATED:
            for number, text in check_words.paragraphs(page.read_text(encoding="utf-8")):
                parts = re.split(r"(?<=[.?!]) +(?=[A-Z`\[*])", text)
                found += [f"{name}:{number}: {part}" for part in parts if len(part.split()) >= FEWEST_WORDS]
    return found


def comments() -> list[str]:
    """Whole comments: lines that follow each other are one."""
    found = []
    for path in sources():
        held, begun = "", 0
        for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
            hit = COMMENT[path.suffix].match(line)
            if hit:
                begun, held = (begun if held else number), f"{held} {hit[1]}".strip()
            elif held:
                if len(held.split()) >= FEWEST_WORDS:
                    found.append(f"{path.relative_to(ROOT)}:{begun}: {held}")
                held = ""
    return found


def main() -> int:
    seed, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 30
    chance = random.Random(seed)
    for title, texts in (("Messages", messages()), ("Sentences of docs", sentences()), ("Comments", comments())):
        print(f"{title}: {count} of {len(texts)}, seed {seed}\n")
        print("\n".join(f"- {text}" for text in chance.sample(texts, count)), end="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
