#!/usr/bin/env python3
"""Demands that nothing tells anybody to install `lockstep` from a package index: that name is another project's.

The distribution is `triton-lockstep`; the import and the command are `lockstep`.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release_facts import DISTRIBUTION, ROOT

BARE = r"(?<![-\w./])lockstep(?![-\w./])"
WRONG = (
    re.compile(rf"\bpip3?(?:\.exe)? (?:install|download|wheel)\b[^\n`&;|#]*?{BARE}"),
    re.compile(rf"\b(?:pipx (?:install|run)|uvx|uv (?:add|pip install|tool install|tool run)) +(?:-\S+ +)*{BARE}"),
    re.compile(r"(?<![-\w])lockstep\[(?:torch|ray|test)\b"),
    re.compile(r"""metadata\.(?:version|metadata|distribution|files|requires)\(\s*["']lockstep["']"""),
    re.compile(r"""^(?:name|"name") *[=:] *["']lockstep["']""", re.MULTILINE),
)
NOT_READ = ("tools/check_name.py", "tests/release/")  # they write the wrong forms down


def problems_of(name: str, text: str) -> list[str]:
    """One line for each place that names the other project."""
    found = []
    for pattern in WRONG:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{name}:{line}: '{match[0].strip()}' is another project on the index; ours is {DISTRIBUTION}")
    return found


def files() -> list[str]:
    """What git has or would take; all files where there is no git (an unpacked sdist)."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(set(listed.stdout.splitlines()))
    return [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*")) if path.is_file()]


def main() -> int:
    problems, read = [], 0
    for name in files():
        path = ROOT / name
        if name.startswith(NOT_READ) or not path.is_file() or path.stat().st_size > 2**20:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        read += 1
        if "lockstep" in text:
            problems += problems_of(name, text)
    for problem in problems:
        print(problem)
    print(f"name: {read} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
