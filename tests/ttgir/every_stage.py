#!/usr/bin/env python3
"""Recorded launches through every pass of Triton: how many texts were executed, and every departure.

  every_stage.py CAPSULE_OR_FOLDER... [--triton 3.6,3.7,3.9] [--warps recorded,1,8] [--stages recorded,1] [--every N] [--seconds S]
                 [--log FILE.jsonl [--sample N --seed S] [--minutes M]]

--every N: each Nth capsule of a folder, by name. --triton: versions as `lockstep stages --triton` takes them. A text that takes
longer than S seconds is counted as not executed. --log: a line for each launch; those that it has are not run again, so
that a campaign goes on where it ended. --sample: so many of all combinations, drawn by seed. --minutes: starts none later.
Prints a line for each departure and each pass that Triton itself did not finish, then counts of the whole log. Exit code 1: a pass
departs. Needs Triton and the package of this build (PYTHONPATH); LOCKSTEP_COMMAND."""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import random
import sys
import time
from collections.abc import Iterable
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from lockstep import errors
from lockstep.pipeline import judging, stages


def numbers(text: str) -> list[int | None]:
    return [None if word == "recorded" else int(word) for word in text.split(",")]


def task_name(file: Path, triton: str, warps: int | None, depth: int | None) -> str:
    return f"{file.parent.name}/{file.name}, Triton {triton or 'installed'}, warps {warps or 'recorded'}, stages {depth or 'recorded'}"


def run(task: tuple[Path, str, int | None, int | None], seconds: float) -> dict[str, Any]:
    """The line of a launch."""
    file, triton, warps, depth = task
    line: dict[str, Any] = {"launch": task_name(*task)}
    try:
        found = stages.stages(file, triton=triton, num_warps=warps, num_stages=depth, seconds=seconds, shrink=0)
    except errors.LaunchError as error:
        return line | {"refused": str(error).splitlines()[0][:200]}
    judged = [one.verdict for one in found.stages if one.verdict is not None]
    line |= {"passes": len(found.stages), "kinds": dict(collections.Counter(one.kind for one in judged)),
             "same_bytes": sum(one.is_equal for one in judged),
             "not_executed": [one.op or one.words[:90] for one in judged if one.kind == judging.NOT_EXECUTED]}  # fmt: skip
    if found.first_wrong is not None:
        line["departure"] = found.text()
    if found.failure is not None:
        line["unfinished"] = f"{found.failure.name}: {found.failure.failure}"
    return line


def show(line: dict[str, Any]) -> None:
    for key in ("refused", "departure", "unfinished"):
        if key in line:
            print(f"{line['launch']}: {line[key]}", flush=True)


def put_counts(lines: Iterable[dict[str, Any]]) -> bool:
    """Prints the table; True: no pass departs."""
    counts: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[str] = collections.Counter()
    for line in lines:
        if "refused" in line:
            counts["launches whose passes cannot be run"] += 1
            continue
        counts["launches"] += 1
        counts["passes"] += line["passes"]
        counts["texts"] += sum(line["kinds"].values())
        counts.update({"texts " + kind: count for kind, count in line["kinds"].items()})
        counts["texts with the bytes of TTIR"] += line["same_bytes"]
        counts["launches with every text executed"] += bool(line["kinds"]) and not line["not_executed"]
        counts["launches that Triton's passes refuse"] += "unfinished" in line
        counts["launches that depart"] += "departure" in line
        refused.update(line["not_executed"])
    for what, count in counts.items():
        print(f"{count:7}  {what}")
    for op, count in refused.most_common(12):
        print(f"{count:7}  not executed: {op}")
    return not counts["launches that depart"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", type=Path)
    parser.add_argument("--triton", default="")
    parser.add_argument("--warps", default="recorded")
    parser.add_argument("--stages", default="recorded")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    chosen = parser.parse_args()
    files = [file for place in chosen.places for file in (sorted(place.rglob("*.capsule"))[:: chosen.every] if place.is_dir() else [place])]
    tasks = list(itertools.product(files, chosen.triton.split(","), numbers(chosen.warps), numbers(chosen.stages)))
    if chosen.sample:
        tasks = random.Random(chosen.seed).sample(tasks, min(chosen.sample, len(tasks)))
    log = chosen.log
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log is not None and log.exists() else []
    known = {line["launch"] for line in lines}
    todo = [task for task in tasks if task_name(*task) not in known]
    end = time.monotonic() + 60 * chosen.minutes

    def one(task: tuple[Path, str, int | None, int | None]) -> dict[str, Any] | None:
        return run(task, chosen.seconds) if time.monotonic() < end else None

    with ThreadPool(chosen.jobs) as pool:
        for line in pool.imap_unordered(one, todo):
            if line is None:
                continue
            show(line)
            lines.append(line)
            if log is not None:
                with log.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(line) + "\n")
    done = {line["launch"] for line in lines} & {task_name(*task) for task in tasks}
    print(f"{len(done)} of {len(tasks)} combinations")
    return 0 if put_counts(lines) else 1


if __name__ == "__main__":
    sys.exit(main())
