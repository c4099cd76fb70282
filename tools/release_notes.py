#!/usr/bin/env python3
"""Prints a release's part of CHANGELOG.md, or makes one of what is unreleased.

    tools/release_notes.py 0.1.0           that release
    tools/release_notes.py unreleased      what would be in the next one
    tools/release_notes.py --cut 2027-01-31    what is unreleased becomes the release that CMakeLists.txt names
"""

import datetime
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release_facts import ROOT, sections, version

HEAD = "## Unreleased\n"


def cut(text: str, number: str, date: str) -> str:
    """The text with a heading for the release below an empty `## Unreleased`."""
    found, problems = sections(text)
    if problems:
        raise SystemExit("\n".join(problems))
    try:
        datetime.date.fromisoformat(date)
    except ValueError:
        raise SystemExit(f"'{date}' is no date such as 2027-01-31") from None
    if any(section.name == number for section in found):
        raise SystemExit(f"CHANGELOG.md has {number} already: raise the version in CMakeLists.txt")
    if found[0].is_empty:
        raise SystemExit("CHANGELOG.md has nothing under Unreleased")
    before, after = text.split(HEAD, 1)
    rest = after[after.index("\n## ") :] if len(found) > 1 else ""
    return f"{before}{HEAD}\n## {number} - {date}\n\n{found[0].text()}{rest}"


def main() -> int:
    path = ROOT / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8")
    words = sys.argv[1:]
    if len(words) == 2 and words[0] == "--cut":
        path.write_text(cut(text, version(), words[1]), encoding="utf-8")
        return 0
    if len(words) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    found, problems = sections(text)
    for problem in problems:
        print(problem, file=sys.stderr)
    wanted = {section.name.lower(): section for section in found}.get(words[0].removeprefix("v").lower())
    if wanted is None or wanted.is_empty:
        names = ", ".join(section.name for section in found)
        print(f"CHANGELOG.md has nothing for '{words[0]}'; its sections: {names}", file=sys.stderr)
        return 2
    print(wanted.text(), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
