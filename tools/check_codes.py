#!/usr/bin/env python3
"""Demands a page in docs/errors for every code that the sources emit, and no page for a code that none emits.

A code is FindingCode::LS123 or a string literal "LS1234" of a room; the compiler refuses one that support/diagnostics/diagnostic_codes.def
lacks, and this check a row there that nothing emits. Pages are short lessons: a title line `# CODE: ...`, what happened, a wrong and a right piece, within 30 lines.
"""

import re
import sys
from pathlib import Path

from check_layers import ALLOWED

ROOT = Path(__file__).resolve().parents[1]
ROOMS = [room for room in ALLOWED if room != "python"]
CODE = re.compile(r'(?:"|FindingCode::)(LS(?:\d{3,4}|P\d\d))\b')
MAX_LINES = 30


def emitted() -> dict[str, str]:
    """Code -> first file that emits it."""
    found: dict[str, str] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in {".cpp", ".h", ".def"}:
                text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
                for code in CODE.findall(text):
                    found.setdefault(code, path.relative_to(ROOT).as_posix())
    return found


def rows() -> set[str]:
    """Codes in the table of diagnostics."""
    return set(re.findall(r"^LOCKSTEP_DIAGNOSTIC\((LS\d{4}),", (ROOT / "support" / "diagnostics" / "diagnostic_codes.def").read_text(encoding="utf-8"), re.M))


def page_problems(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    problems = []
    if not lines or not lines[0].startswith(f"# {path.stem}: "):
        problems.append(f"{path.name}: the first line must be '# {path.stem}: ...'")
    if len(lines) > MAX_LINES:
        problems.append(f"{path.name}: {len(lines)} lines (at most {MAX_LINES})")
    return problems


def main() -> int:
    codes = emitted()
    pages = {path.stem: path for path in (ROOT / "docs" / "errors").glob("LS*.md")}
    problems = [f"{code} ({codes[code]}): no page docs/errors/{code}.md" for code in sorted(codes.keys() - pages.keys())]
    problems += [f"docs/errors/{code}.md: no source emits {code}" for code in sorted(pages.keys() - codes.keys())]
    problems += [f"support/diagnostics/diagnostic_codes.def: no source emits {code}" for code in sorted(rows() - codes.keys())]
    for path in pages.values():
        problems += page_problems(path)
    for line in problems:
        print(line)
    print(f"codes: {len(codes)} emitted, {len(pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
