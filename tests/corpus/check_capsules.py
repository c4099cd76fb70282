#!/usr/bin/env python3
"""Every recorded launch of the open corpus under all checkers: what they find, by kernel, line and code.

    check_capsules.py LOCKSTEP FOLDER [--check all] [--jobs N] [--seconds S] [--tier error] [--known FILE] [--write FILE]

FOLDER: capsules, as record_capsules.py makes them (any depth). A finding is known if FILE, which campaigns read, too
(docs/campaigns.md, "What is known"), has an entry of its code and kernel that asks for no variation; docs/findings.md says of
each why it is true. Exit code 1: a finding of the tier or above that is not known, a capsule that did not run, or one that took longer than S.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import tomllib

#: `FILE:LINE:COL: error: message [LS101]`; the place may be missing.
FINDING = re.compile(r"^(?:(?P<file>[^\n]*?):(?P<line>\d+):\d+: )?(?P<tier>error|warning|info): (?P<text>.*) \[(?P<code>LSP?\d+)\]$")
TIERS = ["info", "warning", "error"]
KNOWN = Path(__file__).parents[2] / "campaigns" / "open_corpus" / "known.toml"
#: Exit codes of `lockstep run`: clean, and findings.
RAN = (0, 1)


def known_findings(path: Path) -> set[tuple[str, str]]:
    """(code, kernel) of what is known of launches as they were recorded."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["known"]
    return {(one["code"], one["kernel"]) for one in entries if "code" in one and "vary" not in one}


def kernel_of(capsule: Path) -> str:
    return capsule.stem.split("-", 1)[-1]


def run(lockstep: str, capsule: Path, check: str, seconds: float) -> tuple[Path, int, float, list[dict]]:
    started = time.monotonic()
    words = [lockstep, "run", str(capsule), "--check", check, "--threads", "1", "--fail-on", "none"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return capsule, -1, seconds, []
    found = [match.groupdict() for match in map(FINDING.match, done.stdout.splitlines()) if match]
    code = done.returncode
    if code not in RAN and not found:
        found = [{"code": "none", "tier": "error", "text": done.stderr.strip()[-300:], "file": None, "line": None}]
    return capsule, code, time.monotonic() - started, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", default="all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--tier", choices=TIERS, default="error")
    parser.add_argument("--known", type=Path, default=KNOWN)
    parser.add_argument("--write", type=Path, help="all findings as JSON lines")
    options = parser.parse_args()
    known = known_findings(options.known)
    capsules = sorted(options.folder.rglob("*.capsule"))
    if not capsules:
        parser.error(f"no capsules in {options.folder}")
    failed: list[str] = []
    found: dict[tuple, list[Path]] = defaultdict(list)
    seconds = 0.0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for capsule, code, took, findings in pool.map(
            lambda one: run(options.lockstep, one, options.check, options.seconds), capsules
        ):
            seconds += took
            if code not in RAN:
                failed.append(f"{capsule.name}: {'took too long' if code < 0 else f'exit code {code}'}")
            for one in findings:
                key = (one["code"], one["tier"], kernel_of(capsule), str(one["file"]), str(one["line"]), one["text"])
                found[key].append(capsule)
    if options.write:
        with options.write.open("w", encoding="utf-8") as out:
            for key, where in sorted(found.items()):
                names = ["code", "tier", "kernel", "file", "line", "text"]
                out.write(json.dumps(dict(zip(names, key)) | {"capsules": [one.name for one in where]}) + "\n")
    wrong = 0
    least = TIERS.index(options.tier)
    for (code, tier, kernel, file, line, text), where in sorted(found.items()):
        if TIERS.index(tier) < least or (code, kernel) in known:
            continue
        wrong += 1
        print(f"{tier} {code} {kernel} {Path(file).name}:{line}: {text} ({len(where)} capsules, {where[0].name})")
    for one in failed:
        print(f"failed: {one}")
    tiers = Counter(key[1] for key in found)
    print(f"{len(capsules)} capsules, {seconds:.0f} s: {dict(tiers)} findings, {wrong} not known, {len(failed)} failed")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
