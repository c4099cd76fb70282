#!/usr/bin/env python3
"""Recorded launches through every pass of Triton: how many texts were executed, and every departure.

  every_stage.py CAPSULE_OR_FOLDER... [--triton 3.6,3.7,3.9] [--warps recorded,1,8] [--stages recorded,1] [--every N] [--seconds S]

--every N: each Nth capsule of a folder, by name. --triton: versions as `lockstep stages --triton` takes them. A text that takes
longer than S seconds is counted as not executed. Prints a line for each departure and each pass that Triton itself did not
finish, then counts. Exit code 1: a pass departs. Needs Triton and the package of this build (PYTHONPATH); LOCKSTEP_COMMAND."""

from __future__ import annotations

import argparse
import collections
import itertools
import os
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path

from lockstep import errors
from lockstep.pipeline import judging, stages


def numbers(text: str) -> list[int | None]:
    return [None if word == "recorded" else int(word) for word in text.split(",")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", type=Path)
    parser.add_argument("--triton", default="")
    parser.add_argument("--warps", default="recorded")
    parser.add_argument("--stages", default="recorded")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    files = [file for place in chosen.places for file in (sorted(place.rglob("*.capsule"))[:: chosen.every] if place.is_dir() else [place])]
    counts: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[str] = collections.Counter()

    def run(task: tuple[Path, str, int | None, int | None]) -> None:
        file, triton, warps, depth = task
        name = f"{file.parent.name}/{file.name}, Triton {triton or 'installed'}, warps {warps or 'recorded'}, stages {depth or 'recorded'}"
        try:
            found = stages.stages(file, triton=triton, num_warps=warps, num_stages=depth, seconds=chosen.seconds)
        except errors.LaunchError as error:
            counts["launches whose passes cannot be run"] += 1
            print(f"{name}: {str(error).splitlines()[0][:200]}", flush=True)
            return
        counts["launches"] += 1
        counts["passes"] += len(found.stages)
        judged = [one.verdict for one in found.stages if one.verdict is not None]
        counts["texts"] += len(judged)
        counts.update("texts " + one.kind for one in judged)
        counts["texts with the bytes of TTIR"] += sum(one.is_equal for one in judged)
        refused.update(one.op or one.words[:90] for one in judged if one.kind == judging.NOT_EXECUTED)
        counts["launches with every text executed"] += bool(judged) and all(one.kind != judging.NOT_EXECUTED for one in judged)
        if found.first_wrong is not None:
            print(f"{name}: {found.text()}", flush=True)
        if found.failure is not None:
            counts["launches that Triton's passes refuse"] += 1
            print(f"{name}: {found.failure.name}: {found.failure.failure}", flush=True)

    tasks = itertools.product(files, chosen.triton.split(","), numbers(chosen.warps), numbers(chosen.stages))
    with ThreadPool(chosen.jobs) as pool:
        for _ in pool.imap_unordered(run, tasks):
            pass
    for what, count in counts.items():
        print(f"{count:7}  {what}")
    for op, count in refused.most_common(12):
        print(f"{count:7}  not executed: {op}")
    return 1 if counts["texts outside"] or counts["texts finding"] else 0


if __name__ == "__main__":
    sys.exit(main())
