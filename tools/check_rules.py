#!/usr/bin/env python3
"""Demands that every rule S-n that a source, a row or a test cites stands in docs/semantics.md, and stands there once, and that
every source file that a comment names is there, and that no source uses what the library of the build for WebAssembly lacks."""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = {".cpp", ".h", ".def", ".py", ".md"}
RULES = ROOT / "docs" / "semantics.md"
SKIPPED = {"build", ".git", ".cache", "recorded", "corpus"}
CITED = re.compile(r"\bS-(\d{1,3})\b")

NAMED = re.compile(r"(?<![\w/.<*{-])((?:[a-z_]+/)*[a-z_0-9]+\.(?:h|cpp|def))\b")
ELSEWHERE = {"cuda.h", "structmember.h", "include/dlpack.h", "room/file.cpp"}  # of other projects, or an example

LACKING = re.compile(r"\bstd::(?:ranges|views|jthread|format)\b")  # libc++ 14, which Debian's Emscripten has

PLACE = re.compile(r"`([a-z_]+/[\w./*-]*[\w*])`")
MOST_COLUMNS = 120


def sources():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.suffix in SUFFIXES and not any(part in SKIPPED or part.startswith("build-") for part in parts):
            yield path


def stale_names() -> list[str]:
    """Comments of C++ files that name a file which is not there (by its path, from its own folder, or by its last part)."""
    paths = [path for path in sources() if path.suffix in (".cpp", ".h", ".def")]
    ends = {path.relative_to(ROOT).as_posix()[i:] for path in paths for i in starts(path.relative_to(ROOT).as_posix())}
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            comment = line.partition("//")[2] if "://" not in line else ""
            found += [f"{path.relative_to(ROOT)}:{number}: {name} is not there" for name in NAMED.findall(comment) if name not in ends | ELSEWHERE]
    return found


def starts(name: str) -> list[int]:
    return [0] + [i + 1 for i, letter in enumerate(name) if letter == "/"]


def lacking() -> list[str]:
    """Lines of C++ sources that the playground's library cannot compile."""
    found = []
    for path in sources():
        if path.suffix in (".cpp", ".h"):
            lines = path.read_text(encoding="utf-8").splitlines()
            found += [f"{path.relative_to(ROOT)}:{n}: libc++ 14 lacks {m.group()} (./dev playground)" for n, line in enumerate(lines, 1) if (m := LACKING.search(line))]
    return found


def design() -> list[str]:
    """Lines of the pages on the design that are too long, and paths in them that are not there."""
    found = []
    for path in [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "design").glob("*.md"))]:
        page = path.relative_to(ROOT).as_posix()
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            is_code ^= line.startswith("```")
            if len(line) > MOST_COLUMNS and not line.startswith("|") and not is_code:
                found.append(f"{page}:{number}: {len(line)} columns, at most {MOST_COLUMNS}")
            for name in PLACE.findall(line):
                if (ROOT / name.split("/")[0]).is_dir() and not (any(ROOT.glob(name)) or any(ROOT.glob(name + ".*"))):
                    found.append(f"{page}:{number}: {name} is not there")
    return found


def main() -> int:
    written = Counter(re.findall(r"^- \*\*S-(\d+)\b", RULES.read_text(encoding="utf-8"), re.MULTILINE))
    problems = [f"docs/semantics.md: S-{rule} stands there {count} times" for rule, count in written.items() if count > 1]
    for path in sources():
        missing = sorted(set(CITED.findall(path.read_text(encoding="utf-8", errors="replace"))) - set(written))
        problems += [f"{path.relative_to(ROOT)}: S-{rule} is no rule of docs/semantics.md" for rule in missing]
    problems += stale_names() + lacking() + design()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
