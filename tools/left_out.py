#!/usr/bin/env python3
"""What a build or a test run leaves out, with the reason and the remedy; whether a test run may.

left_out.py show BUILD            what the configuration left out (BUILD/left_out.txt, by cmake/LockstepLeftOut.cmake)
left_out.py before BUILD          the same before a test run, with the machine's own lines from stdin
left_out.py after BUILD RESULTS   after it: that, and every test of ctest's JUnit file RESULTS that was skipped

Lines are "part <tab> reason <tab> remedy". A test run is meant to run every part of PARTS that is not marked as extra:
`before` and `after` fail (exit code 1) where one is off that LOCKSTEP_WITHOUT (names, with commas between) does not name.
A skipped test whose reason no rule knows, but that says that something is missing, counts as a part that is off.
"""

from __future__ import annotations

import os
import re
import sys
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path
from typing import NamedTuple

# Name -> what it is. Extras may be off in any test run: no package of apt or pip that ./dev test installs brings them.
PARTS = {
    "python-package": "the Python package and all its tests",
    "oracles": "Triton, torch and NumPy, which tests compare with",
    "corpora": "the kernels of other people's packages",
    "lessons": "the lessons that `lockstep learn` serves",
    "libedit": "line editing of `lockstep debug`",
    "mpfr": "the judge of mathematical functions",
    "nvrtc": "NVIDIA's compiler, for emitted text",
    "chromium": "the pages, in a browser",
    "docs": "the documentation, built as a site",
    "shells": "completions and the manual page, by what reads them",
    "emacs": "the debugger's server with a client that is not ours",
}
EXTRAS = {
    "ccache": "a compiler cache",
    "cuda-headers": "our CUDA declarations held against a toolkit",
    "gpu": "a GPU",
    "arm64": "the cross build for arm64",
    "playground": "the playground in a browser",
    "wheels": "wheels in dist/, installed and run",
    "firefox": "the page in a second browser",
    "node": "the editor extension's syntax",
    "more-packages": "Python packages that one test each wants",
    "package-tests": "the package's tests in a build with sanitizers",
    "host-tests": "tests of this machine in a build for another",
    "limits": "bench/limits",
    "terminal": "a test that wants a terminal",
    "z3": "what only z3 proves",
}
# Reason of a skipped test -> part. The first that fits counts.
RULES = [
    (r"Emacs", "emacs", "apt-get install emacs-nox elpa-dap-mode"),
    (r"\b(fish|zsh|mandoc)\b", "shells", "apt-get install zsh fish mandoc"),
    (r"Chromium|Playwright|playwright", "chromium", "apt-get install chromium; ./dev setup"),
    (r"Firefox", "firefox", "apt-get install firefox-esr"),
    (r"zensical", "docs", "./dev docs"),
    (r"Node\.js", "node", "apt-get install nodejs"),
    (r"NVRTC", "nvrtc", "pip install nvidia-cuda-nvrtc, or LOCKSTEP_NVRTC"),
    (r"MPFR", "mpfr", "apt-get install libmpfr-dev"),
    (r"no GPU here|on a GPU machine", "gpu", "a machine with one (docs/differential.md)"),
    (r"no toolkit", "cuda-headers", "install a CUDA toolkit"),
    (r"arm64|aarch64", "arm64", "./dev build arm64"),
    (r"no playground", "playground", "./dev playground"),
    (r"no wheel that runs here", "wheels", "./dev wheels"),
    (r"\bz3\b", "z3", "pip install z3-solver, or apt-get install z3"),
    (r"no terminal", "terminal", "a system that gives pseudo-terminals"),
    (r"Ray is not installed|'(pandas|matplotlib|ray|IPython|ipykernel|nbclient|nbformat)'", "more-packages", "pip install it"),
    (r"fla is not installed|corpus/requirements|another version of fla|needs (pyyaml|sqlalchemy)", "corpora", "./dev setup"),
    (r"pytest|Triton here|needs triton|NumPy|mypy|axe_playwright|ml_dtypes|hypothesis", "oracles", "./dev setup"),
]
MISSING = re.compile(r"not installed|could not import|No module|not built|is not there|there is no|\black|missing|no Python|is not set|not found")


class Line(NamedTuple):
    part: str
    reason: str
    remedy: str


def configured(build: Path) -> list[Line]:
    try:
        text = (build / "left_out.txt").read_text(encoding="utf-8")
    except FileNotFoundError:
        sys.exit(f"left_out: {build}/left_out.txt is missing: configure first")
    return [Line(*line.split("\t")) for line in text.splitlines()]


def reasons_of(case: xml.etree.ElementTree.Element) -> Counter[str]:
    """Of one test of ctest: why it, or tests within it, were skipped, and how many times."""
    output = case.findtext("system-out") or ""
    found = Counter(re.findall(r"^skipped: (.+)$|: Skipped\n(.+)$", output, re.MULTILINE))
    reasons = Counter({first or second: count for (first, second), count in found.items()})
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+: (.+)$", output, re.MULTILINE):
        reasons[reason] += int(count)
    if case.get("status") == "notrun" and not reasons:
        last = output.strip().splitlines()[-1:] or ["it said no reason"]
        reasons[f"{case.get('name')} is missing: {last[0]}"] += 1
    return reasons


def line_of(reason: str) -> Line | None:
    """None where a test is skipped by its own choice: nothing is missing."""
    for pattern, part, remedy in RULES:
        if re.search(pattern, reason):
            return Line(part, reason, remedy)
    return Line("unknown", reason, "a rule in tools/left_out.py, or what the reason asks for") if MISSING.search(reason) else None


def skipped(results: Path) -> tuple[Counter[Line], Counter[str]]:
    """What the run lacked, and the reasons of tests that skip themselves with what they were given."""
    try:
        cases = xml.etree.ElementTree.parse(results).getroot().iter("testcase")
    except (FileNotFoundError, xml.etree.ElementTree.ParseError) as error:
        sys.exit(f"left_out: ctest left no results: {error}")
    lines, chosen = Counter(), Counter()
    for reason, count in sum(map(reasons_of, cases), Counter()).items():
        line = line_of(reason)
        if line is None:
            chosen[reason] += count
        else:
            lines[line] += count
    return lines, chosen


def allowed() -> set[str]:
    names = {name.strip() for name in os.environ.get("LOCKSTEP_WITHOUT", "").split(",")} - {""}
    for name in sorted(names - PARTS.keys() - EXTRAS.keys()):
        print(f"left_out: LOCKSTEP_WITHOUT: there is no part {name!r}; parts: {', '.join(PARTS)}", file=sys.stderr)
        sys.exit(2)
    return names | EXTRAS.keys()


def show(lines: Counter[Line], chosen: Counter[str]) -> None:
    if lines or chosen:
        print("== left out")
    for line, count in sorted(lines.items()):
        times = f" ({count} times)" if count > 1 else ""
        print(f"  {line.part}: {line.reason}{times}; remedy: {line.remedy}")
    for reason, count in sorted(chosen.items()):
        print(f"  tests that leave themselves out: {count} ({reason})")


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in ("show", "before", "after"):
        print(__doc__, file=sys.stderr)
        return 2
    command, build = sys.argv[1], Path(sys.argv[2])
    lines, chosen = Counter(configured(build)), Counter()
    if command == "show":
        show(lines, chosen)
        return 0
    may_be_off = allowed()
    lines += Counter(Line(*line.split("\t")) for line in sys.stdin.read().splitlines())
    if command == "after":
        more, chosen = skipped(Path(sys.argv[3]))
        lines += more
    off = [line for line in lines if line.part not in may_be_off]
    if command == "after":
        show(lines, chosen)
    for line in off:
        print(f"left_out: {line.part} is off, and the tests are meant to run it ({PARTS.get(line.part, 'see the reason')}): {line.reason}", file=sys.stderr)
        print(f"hint: {line.remedy}; to do without: LOCKSTEP_WITHOUT={line.part}", file=sys.stderr)
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
