#!/usr/bin/env python3
"""Writes GitHub's annotations: of `lockstep check-language --json`, or of a SARIF file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_SHOWN = 50  # GitHub shows few of a step; the report has all
LEVELS = {"error": "error", "warning": "warning", "note": "notice", "unsupported": "warning", "info": "notice", "none": "notice"}


@dataclass(frozen=True)
class Annotation:
    """One remark at a line."""

    level: str
    path: str
    line: int
    column: int
    title: str
    message: str

    def __str__(self) -> str:
        place = ",".join(
            f"{name}={escaped(str(value), is_property=True)}"
            for name, value in (("file", self.path), ("line", self.line), ("col", self.column), ("title", self.title))
            if value
        )
        return f"::{self.level} {place}::{escaped(self.message)}"


def escaped(text: str, is_property: bool = False) -> str:
    """As GitHub's runner unescapes it."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if is_property else text


def of_language(document: dict) -> Iterator[Annotation]:
    """Problems of files and of their kernels."""
    for file in document["files"]:
        for problem in file["problems"] + [one for kernel in file["kernels"] for one in kernel["problems"]]:
            message = problem["message"] + (f"\n{problem['hint']}" if problem["hint"] else "")
            yield Annotation(LEVELS[problem["severity"]], file["path"], problem["line"], problem["column"], problem["code"], message)


def of_sarif(document: dict) -> Iterator[Annotation]:
    """Results; those that are suppressed are known and have a reason."""
    for run in document["runs"]:
        for result in run.get("results", []):
            if result.get("suppressions"):
                continue
            place = next((one["physicalLocation"] for one in result.get("locations", []) if "physicalLocation" in one), {})
            region = place.get("region", {})
            path = place.get("artifactLocation", {}).get("uri", "").removeprefix("file://")
            level = LEVELS[result.get("level", "warning")]
            yield Annotation(level, path, region.get("startLine", 0), region.get("startColumn", 0), result.get("ruleId", ""), result["message"]["text"])


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kind = words.add_mutually_exclusive_group(required=True)
    kind.add_argument("--language", type=Path)
    kind.add_argument("--sarif", type=Path)
    options = words.parse_args()
    document = json.loads((options.language or options.sarif).read_text(encoding="utf-8"))
    found = list(dict.fromkeys(of_language(document) if options.language else of_sarif(document)))
    for annotation in found[:MAX_SHOWN]:
        print(annotation)
    if len(found) > MAX_SHOWN:
        print(f"::notice::{len(found) - MAX_SHOWN} more are in the report")
    return 0


if __name__ == "__main__":
    sys.exit(main())
