#!/usr/bin/env python3
"""Every TTGIR (or TTIR) text of a folder through the command: read, verified, printed byte for byte; counts by cause.

  check_samples.py LOCKSTEP FOLDER [--list]

A text whose locations were taken away has names that its locations gave; it is held to be equal but for names.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
from pathlib import Path

NAME = re.compile(r"%[\w$.\-]+")


def verdict(lockstep: str, file: Path) -> str:
    text = file.read_text()
    command = [lockstep, "emit", str(file), *(["--locations"] if "loc(" in text else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if line.strip()), "")
        return f"refused (exit {done.returncode}): " + re.sub(r"'[^']*'|\d+", "..", first)[:110]
    if done.stdout == text:
        return "equal"
    return "equal but for names" if NAME.sub("%", done.stdout) == NAME.sub("%", text) else "printed otherwise"


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("lockstep")
    options.add_argument("folder", type=Path)
    options.add_argument("--list", action="store_true", help="names the files that are not equal")
    chosen = options.parse_args()
    files = sorted(f for f in chosen.folder.rglob("*") if f.suffix in (".ttgir", ".mlir", ".ttir"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(lambda file: verdict(chosen.lockstep, file), files))
    for cause, count in collections.Counter(verdicts).most_common():
        print(f"{count:5}  {cause}")
        if chosen.list and not cause.startswith("equal"):
            print("".join(f"         {file}\n" for file, one in zip(files, verdicts) if one == cause), end="")
    return 0 if files and all(one.startswith("equal") for one in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
