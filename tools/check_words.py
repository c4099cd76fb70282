#!/usr/bin/env python3
"""Counts what docs/style.md forbids in documents, messages, docstrings and lessons, and holds each part to the best count so far.

check_words.py               prints the table
check_words.py --check       exit code 1 where a count is worse than its row of tools/words_limits.tsv allows (in lint)
check_words.py --list PART   every place of one part
check_words.py --write       writes tools/words_limits.tsv where a count became better; a worse one is refused

Words are the patterns of tools/words.tsv, each with better ones. Long sentences have more than 25 words. IR names stand in
prose where Python's name would do (tt.reduce for tl.sum). Blocks of code and text in backticks are left out, but for IR names.
A part without a row may have none: new pages begin right."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ROOT / "tools" / "words_limits.tsv"
COLUMNS = ("words", "long sentences", "IR names")
MOST_WORDS = 25
ROOMS = (
    "support", "python_syntax", "ir", "memory_model", "findings", "interpreter", "enclosure", "backend_cuda", "dialects", "sanitizer",
    "fuzz", "frontend", "driver", "gpu_diff", "debugger", "cli", "python", "prove", "playground",
)  # fmt: skip
# Their tables and lists are made by programs.
GENERATED = {"docs/ops.md", "docs/corpus.md", "docs/versions.md"}
# Where the IR's names are the subject.
ABOUT_IR = {"docs/semantics.md", "docs/differential.md", "docs/ttir-versions.md", "docs/trace.md", "docs/style.md", "docs/performance.md"}
IR_NAME = re.compile(r"\b(?:tt|arith|scf|math)\.[a-z]\w+")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SCRIPT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


class Place(NamedTuple):
    where: str
    kind: str
    text: str


def patterns() -> list[tuple[re.Pattern[str], str]]:
    rows = (line.split("\t") for line in (ROOT / "tools" / "words.tsv").read_text(encoding="utf-8").splitlines())
    return [(re.compile(rf"\b{pattern}\b", re.IGNORECASE), better) for pattern, better in rows]


def part_of(path: Path) -> str:
    """A page is of its folder; a source of its room."""
    name = path.relative_to(ROOT).as_posix()
    folders = path.relative_to(ROOT).parts[:-1]
    if name.endswith(".md"):
        return name if folders in ((), ("docs",)) else "/".join(folders[:2])
    return folders[0] + (f"/{folders[1]}" if folders[0] in ("debugger", "python") and len(folders) > 1 else "")


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Prose of a page: (line, text) of each paragraph, list item and cell."""
    is_code, held, begun = False, "", 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            is_code = not is_code
            line = ""
        row = line.strip()
        starts = not row or row.startswith(("#", "|", "- ", "* ", "<!--")) or re.match(r"\d+\. ", row)
        if starts and held:
            yield begun, held
            held = ""
        if is_code or not row or re.match(r"^ {4}\S", line) and not held:
            continue
        if row.startswith("|"):
            yield from ((number, cell.strip()) for cell in row.strip("|").split("|") if cell.strip(" -:"))
        elif not row.startswith("<!--"):
            begun, held = (begun if held else number), f"{held} {row}".strip()
            if row.startswith("#"):
                yield begun, held
                held = ""


def of_page(path: Path, found: list[tuple[re.Pattern[str], str]]) -> Iterator[Place]:
    name = path.relative_to(ROOT).as_posix()
    for number, text in paragraphs(path.read_text(encoding="utf-8")):
        where = f"{name}:{number}"
        if name not in ABOUT_IR and not name.startswith("docs/design/"):
            yield from (Place(where, COLUMNS[2], name_) for name_ in IR_NAME.findall(text))
        prose = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "`", text))
        yield from words_in(where, prose, found)
        yield from long_sentences(where, prose)


def long_sentences(where: str, prose: str) -> Iterator[Place]:
    """A sentence may begin with a number or a quotation."""
    for sentence in re.split(r"(?<=[.?!])[\s*)]+(?=[A-Z0-9`\[*\"])", prose):
        if len(re.findall(r"[\w`'-]+(?:[.,:/]\w+)*", sentence)) > MOST_WORDS:
            yield Place(where, COLUMNS[1], sentence)


def words_in(where: str, text: str, found: list[tuple[re.Pattern[str], str]]) -> Iterator[Place]:
    for pattern, better in found:
        yield from (Place(where, COLUMNS[0], f"{hit[0]!r}: {better}") for hit in pattern.finditer(text))


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Texts of a source that people read: literals of several words; of Python docstrings, too; of JSON every text."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        yield from ((number, hit[1]) for number, line in enumerate(source.splitlines(), 1) for hit in LITERAL.finditer(line))
        return
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value
        return
    for number, line in enumerate(source.splitlines(), 1):
        if not line.lstrip().startswith(("#include", "//")):
            pattern = SCRIPT if path.suffix == ".js" else LITERAL
            yield from ((number, hit[1] or hit[len(hit.groups())] or "") for hit in pattern.finditer(line))


def own_sources(*patterns_of_files: str) -> list[Path]:
    """Of the rooms, without what other people wrote (debugger/web/vendor)."""
    found = {path for room in ROOMS for pattern in patterns_of_files for path in (ROOT / room).rglob(pattern)}
    return sorted(path for path in found if "vendor" not in path.parts)


def places() -> dict[str, list[Place]]:
    """Part -> what is in it; parts without anything, too."""
    found = patterns()
    parts: dict[str, list[Place]] = {}
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for path in sorted(pages):
        if path.relative_to(ROOT).as_posix() not in GENERATED | {"CHANGELOG.md", "docs/style.md"}:
            parts.setdefault(part_of(path), []).extend(of_page(path, found))
    for path in own_sources("*.cpp", "*.h", "*.def", "*.py", "*.js", "lesson.json"):
        part = parts.setdefault(part_of(path), [])
        for number, text in texts_of(path):
            if text.count(" ") >= 2:
                where, prose = f"{path.relative_to(ROOT)}:{number}", re.sub(r"`[^`]*`", "`", text)
                part.extend(words_in(where, prose, found))
                if path.suffix == ".json":
                    part.extend(long_sentences(where, prose))
    return parts


def counts(parts: dict[str, list[Place]]) -> dict[str, tuple[int, ...]]:
    return {part: tuple(sum(place.kind == kind for place in found) for kind in COLUMNS) for part, found in sorted(parts.items())}


def limits() -> dict[str, tuple[int, ...]]:
    lines = LIMITS.read_text(encoding="utf-8").splitlines()[1:] if LIMITS.is_file() else []
    return {row[0]: tuple(map(int, row[1:])) for row in (line.split("\t") for line in lines)}


def main() -> int:
    parts = places()
    now, allowed = counts(parts), limits()
    words = sys.argv[1:]
    if words[:1] == ["--list"]:
        print("\n".join(f"{place.where}: {place.kind}: {place.text}" for place in parts.get(words[1], [])))
        return 0
    zero = (0,) * len(COLUMNS)
    worse = [(part, kind, count, limit) for part, row in now.items() for kind, count, limit in zip(COLUMNS, row, allowed.get(part, zero), strict=True) if count > limit]
    if words == ["--check"] or (worse and words == ["--write"] and allowed):
        for part, kind, count, limit in worse:
            print(f"words: {part}: {count} {kind}, at most {limit} (tools/check_words.py --list {part})")
        return 1 if worse else 0
    if words == ["--write"]:
        rows = ["\t".join((part, *map(str, row))) for part, row in now.items() if any(row)]
        LIMITS.write_text("\n".join(["part\t" + "\t".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
        return 0
    width = max(map(len, now))
    print(f"{'part':{width}}  " + "  ".join(COLUMNS))
    for part, row in now.items():
        if any(row):
            print(f"{part:{width}}  " + "  ".join(f"{count:{len(kind)}}" for kind, count in zip(COLUMNS, row, strict=True)))
    print(f"{'all':{width}}  " + "  ".join(f"{sum(row[i] for row in now.values()):{len(kind)}}" for i, kind in enumerate(COLUMNS)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
