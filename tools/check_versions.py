#!/usr/bin/env python3
"""Demands that the version of CMakeLists.txt is the one that every other file names, and that CHANGELOG.md goes with it.

--write writes it into those files; CHANGELOG.md is cut by tools/release_notes.py --cut.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release_facts import PLACES, ROOT, ordered, sections, version


def place_problems(root: Path, number: str) -> list[str]:
    """Files that name another version, or none."""
    problems = []
    for path, pattern in PLACES.items():
        found = re.findall(pattern, (root / path).read_text(encoding="utf-8"), re.MULTILINE) if (root / path).is_file() else []
        if not found:
            problems.append(f"{path}: no version, or no such file (tools/release_facts.py says how it is looked for)")
        problems += [f"{path}: {other}, and CMakeLists.txt has {number} (tools/check_versions.py --write)" for other in found if other != number]
    return problems


def changelog_problems(root: Path, number: str) -> list[str]:
    """Its form; and a version that is out already gets no further entries."""
    found, problems = sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    releases = [section.name for section in found if section.name != "Unreleased"]
    if not problems and releases:
        newest = releases[0]
        if ordered(number) < ordered(newest):
            problems.append(f"CMakeLists.txt: {number} is older than the newest release of CHANGELOG.md, {newest}")
        elif number == newest and not found[0].is_empty:
            problems.append(f"CMakeLists.txt: {number} is released, and CHANGELOG.md has more under Unreleased: raise the version")
    return problems


def write(root: Path, number: str) -> None:
    """The version into every file that names it."""
    for path, pattern in PLACES.items():
        text = (root / path).read_text(encoding="utf-8")

        def changed(match: re.Match) -> str:
            start, end = match.start(1) - match.start(), match.end(1) - match.start()
            return match[0][:start] + number + match[0][end:]

        new = re.sub(pattern, changed, text, flags=re.MULTILINE)
        if new != text:
            (root / path).write_text(new, encoding="utf-8")
            print(f"{path}: {number}")


def main() -> int:
    number = version(ROOT)
    if "--write" in sys.argv[1:]:
        write(ROOT, number)
    problems = place_problems(ROOT, number) + changelog_problems(ROOT, number)
    for problem in problems:
        print(problem)
    print(f"versions: {number} in CMakeLists.txt and {len(PLACES)} other files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
