#!/usr/bin/env python3
"""Published miscompilations of Triton's passes, without a GPU: `lockstep stages` names the pass, and clears the versions that mended it.

  published.py [--triton 3.6,3.9] [NAME...]

Each file of published/ has a kernel and, as comments: the report, the launch, the pass with the kind of verdict and the code
of the finding, and the versions that have and lack the fault. Versions that are not here are left out. Exit code 1: another
verdict; 77: no version is here. Needs Triton and the package of this build (PYTHONPATH); LOCKSTEP_COMMAND."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from lockstep import errors
from lockstep.pipeline import stages

FOLDER = Path(__file__).resolve().parent / "published"


def facts_of(file: Path) -> dict[str, list[str]]:
    text = file.read_text(encoding="utf-8")
    return {key: words.split() for key, words in re.findall(r"^# (launch|wrong|in|not in): (.*)$", text, re.MULTILINE)}


def is_as_published(file: Path, facts: dict[str, list[str]], version: str) -> bool | None:
    """None: this version is not here."""
    try:
        stages.triton_folder(version)
    except errors.LaunchError:
        return None
    found = stages.stages([f"{file}::{file.stem}", *facts["launch"]], triton=version, arch="sm_90", shrink=0)
    wrong = found.first_wrong
    if version in facts.get("not in", []):
        is_right = wrong is None and found.failure is None and found.executed > 0
    else:
        name, kind, *code = facts["wrong"]
        is_right = wrong is not None and wrong.name == name and wrong.verdict is not None and wrong.verdict.kind == kind
        is_right = is_right and all(one in wrong.verdict.words for one in code)
    print(f"{'as published' if is_right else 'OTHERWISE'}: {file.stem}, Triton {found.triton}: "
          + (f"{wrong.name}: {wrong.verdict.words}" if wrong and wrong.verdict else "no pass is wrong"), flush=True)  # fmt: skip
    if not is_right:
        print(found.text())
    return is_right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--triton", default="", help="only these versions")
    chosen = parser.parse_args()
    verdicts = []
    for file in sorted(FOLDER.glob("*.py")):
        facts = facts_of(file)
        for version in facts["in"] + facts.get("not in", []):
            if (not chosen.names or file.stem in chosen.names) and (not chosen.triton or version in chosen.triton.split(",")):
                verdicts.append(is_as_published(file, facts, version))
    known = [one for one in verdicts if one is not None]
    if not known:
        print("skipped: none of these versions of Triton is here (LOCKSTEP_TRITONS)")
        return 77
    print(f"{sum(known)} of {len(known)} as published, {len(verdicts) - len(known)} left out")
    return 0 if all(known) else 1


if __name__ == "__main__":
    sys.exit(main())
