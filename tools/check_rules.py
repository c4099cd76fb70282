#!/usr/bin/env python3
"""Demands that every rule S-n that a source, a row or a test cites stands in docs/semantics.md, and stands there once."""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = {".cpp", ".h", ".def", ".py", ".md"}
RULES = ROOT / "docs" / "semantics.md"
SKIPPED = {"build", ".git", ".cache", "recorded", "corpus"}
CITED = re.compile(r"\bS-(\d{1,3})\b")


def sources():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.suffix in SUFFIXES and not any(part in SKIPPED or part.startswith("build-") for part in parts):
            yield path


def main() -> int:
    written = Counter(re.findall(r"^- \*\*S-(\d+)\b", RULES.read_text(encoding="utf-8"), re.MULTILINE))
    problems = [f"docs/semantics.md: S-{rule} stands there {count} times" for rule, count in written.items() if count > 1]
    for path in sources():
        missing = sorted(set(CITED.findall(path.read_text(encoding="utf-8", errors="replace"))) - set(written))
        problems += [f"{path.relative_to(ROOT)}: S-{rule} is no rule of docs/semantics.md" for rule in missing]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
