#!/usr/bin/env python3
"""check_commits.py [MESSAGE-FILE]: how commits are described, from FIRST on; as a hook: one message.

One topic, said in the imperative: a subject of at most 72 characters that starts with a capital letter and a verb, without a full stop; an
empty line; then cause and choice, where there was one (demanded of changes of more than 30 files that are no merges or moves).
As a hook: ln -s ../../tools/check_commits.py .git/hooks/commit-msg
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

FIRST = "985fda9"  # what was before is not told anew
MOST = 72
MANY_FILES = 30
# A first word of these forms tells a state or what somebody did.
NOT_IMPERATIVE = re.compile(r"^(?:\w+(?:ed|ing)|A|An|The|Some|All|Each|Every|Now|Fixes|Adds|Makes|WIP\b.*)$")
IMPERATIVE_ALL_THE_SAME = {"Embed", "Feed", "Need", "Speed", "Bring", "String", "Ring", "Shed"}


def problems(message: str, files: int = 0) -> list[str]:
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if subject.startswith(("Merge ", "Revert ")):
        return []
    first = subject.split(" ")[0].rstrip(":,")
    found = []
    if len(subject) > MOST:
        found.append(f"the subject has {len(subject)} characters, at most {MOST}")
    if not first[:1].isupper():
        found.append("the subject starts with a capital letter")
    if NOT_IMPERATIVE.match(first) and first not in IMPERATIVE_ALL_THE_SAME:
        found.append(f"'{first}' is no imperative: say what the commit does (Add, Read, Keep ...)")
    if subject.endswith("."):
        found.append("no full stop after a subject")
    if len(lines) > 1 and lines[1].strip():
        found.append("an empty line follows the subject")
    if files > MANY_FILES and len([line for line in lines[1:] if line.strip()]) == 0:
        found.append(f"{files} files changed: the body says why")
    return found


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False).stdout


def main() -> int:
    if len(sys.argv) > 1:
        found = [(sys.argv[1], one) for one in problems(Path(sys.argv[1]).read_text(encoding="utf-8"))]
    else:
        if not git("cat-file", "-t", FIRST):
            print(f"commits: no {FIRST} in this clone: not looked at")
            return 0
        found = []
        for revision in git("rev-list", "--no-merges", f"{FIRST}..HEAD").split():
            changed = [line for line in git("show", "--format=", "--name-status", "-M", revision).splitlines() if not line.startswith("R100")]
            found += [(revision[:7], one) for one in problems(git("show", "-s", "--format=%B", revision), len(changed))]
    for where, what in found:
        print(f"{where}: {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
