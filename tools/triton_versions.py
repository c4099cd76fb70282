#!/usr/bin/env python3
"""Writes the tables of docs/versions.md: the 274 checks under every version of Triton that lies in .cache, and the differences.

  PYTHONPATH=build/python .cache/venv/bin/python tools/triton_versions.py [--check]

--check: compare only; exit 1 where the document is stale. Runs tests/python_package/semantics/test_h200_answers.py once for each version,
six seconds each. Which differences there are is read from tests/python_package/semantics/by_version.py.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SEMANTICS = ROOT / "tests" / "python_package" / "semantics"
PAGE = ROOT / "docs" / "versions.md"
KINDS = ("same", "words", "language", "absent", "failed")
sys.path.insert(0, str(SEMANTICS))
import by_version  # noqa: E402


def folders() -> list[Path | None]:
    """Of the versions beside; None: the installed one."""
    served = [path for path in (ROOT / ".cache").glob("triton-*") if path.name.split("-")[1].rsplit(".", 1)[0] in by_version.VERSIONS]
    return [None, *sorted(served)]


def outcomes(folder: Path | None) -> dict:
    """What test_h200_answers.py wrote for one version."""
    with tempfile.TemporaryDirectory() as place:
        table = Path(place, "table.json")
        path = os.pathsep.join([*([str(folder)] if folder else []), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": path, "TRITON_CACHE_DIR": place, "LOCKSTEP_CHECKS_TABLE": str(table)}
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "-m", "not campaign"]
        subprocess.run([*words, str(SEMANTICS / "test_h200_answers.py")], env=environment, stdout=subprocess.DEVNULL, check=False)
        return json.loads(table.read_text())


def checks_table() -> list[str]:
    rows = ["| Triton | same | other words | other language | absent | failed |", "| --- | --- | --- | --- | --- | --- |"]
    told = sorted((outcomes(folder) for folder in folders()), key=lambda one: one["triton"])
    for one in told:
        found = list(one["outcomes"].values())
        rows.append(f"| {one['triton']} | " + " | ".join(str(found.count(kind)) for kind in KINDS) + " |")
    return rows


def differences_table() -> list[str]:
    rows = ["| Triton | | what | checks |", "| --- | --- | --- | --- |"]
    for row in sorted(by_version.ROWS, key=lambda one: (KINDS.index(one.kind) if one.kind != "absent" else 0, one.first)):
        span = row.first if row.first == row.last else f"{row.first} to {row.last}"
        keys = ", ".join(f"`{key}`".replace("|", "\\|") for key in row.answers)
        rows.append(f"| {span} | {row.kind} | {row.reason} | {keys} |")
    return rows


def filled(text: str, name: str, rows: list[str]) -> str:
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = text.partition(begin)
    return before + begin + "\n".join(rows) + "\n" + end + rest.partition(end)[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    old = PAGE.read_text()
    new = filled(filled(old, "checks", checks_table()), "differences", differences_table())
    if options.check:
        return int(new != old and print(f"{PAGE.relative_to(ROOT)} is stale: tools/triton_versions.py") is None)
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
