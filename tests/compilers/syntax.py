#!/usr/bin/env python3
"""syntax.py BUILD [--jobs N] [--every N]: the front end of BUILD's compiler over every translation unit that it was configured for.

Runs each command of BUILD/compile_commands.json with -fsyntax-only: what does not compile is found in a quarter of the time of a
build; warnings of the middle end are not. Generated sources must be there. Prints each complaint once and a total; exit code 1
where a unit does not pass. --every N: each N-th unit, for a first look.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMPLAINT = re.compile(r"^\S+:\d+:\d+: (?:fatal error|error|warning): .*$", re.MULTILINE)


def check(entry: dict[str, str]) -> tuple[str, int, str]:
    words, kept = shlex.split(entry["command"]), []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == "-o":
            skip = True
        elif word != "-c" and not word.endswith("ccache"):
            kept.append(word)
    done = subprocess.run([*kept, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True, check=False)
    return entry["file"], done.returncode, done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", help="units whose path has this")
    options = parser.parse_args()
    entries = [entry for entry in json.loads((options.build / "compile_commands.json").read_text()) if options.only in entry["file"]]
    entries = entries[:: options.every]
    seen: Counter[str] = Counter()
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for file, code, output in pool.map(check, entries):
            complaints = COMPLAINT.findall(output)
            if code != 0:
                failed += 1
                complaints = complaints or [f"{file}: exit code {code}: {output.strip()[-300:]}"]
            for complaint in complaints:
                if complaint not in seen:
                    print(complaint, flush=True)
                seen[complaint] += 1
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(entries)} units, {failed} do not pass, {len(seen)} complaints, {seconds.ru_utime + seconds.ru_stime:.0f} CPU seconds")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
