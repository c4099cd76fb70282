"""Faults planted in the honest programs (plant.py), drawn by a seed: how many are rejected, not decided, accepted. A program that is
accepted is run beside its honest twin on many inputs and sizes: if any result differs, the judge was wrong; if none does, the change
is no fault there. The same function with fewer digits must have a note.

`python planted.py [--count N] [--seed S] [--out FILE.json] [--part I/N]`; results in the file are not judged again."""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from typing import NamedTuple

import honest
import plant
import zoo

HERE = pathlib.Path(__file__).resolve().parent


class Fault(NamedTuple):
    """A changed program."""

    name: str
    kind: str
    reference: str
    honest: str
    text: str


def originals() -> list[tuple[str, str, str]]:
    """(name, reference, honest program): those of the zoo, and one of each template."""
    found = [(one.title.replace("/", "-"), (HERE / one.task / "reference.py").read_text(), one.text) for one in zoo.programs() if one.wanted == "accepted"]
    return found + [one for one in honest.pairs() if one[0].endswith("float32")]


def drawn(count: int, seed: int) -> list[Fault]:
    """A kind, then a program that has a place for it, then the place: each uniformly."""
    rng = random.Random(seed)
    by_kind = collections.defaultdict(lambda: collections.defaultdict(list))
    for program in originals():
        for kind, _, change in plant.sites(program[2]):
            by_kind[kind][program].append(change)
    made, texts = [], set()
    while len(made) < count:
        kind = rng.choice(sorted(by_kind))
        program = rng.choice(sorted(by_kind[kind]))
        text = rng.choice(by_kind[kind][program])()
        if text in texts:
            continue
        texts.add(text)
        made.append(Fault(f"{len(made):03d}-{kind}-{program[0]}", kind, program[1], program[2], text))
    return made


def brute_force(fault: Fault) -> str:
    """Where the changed program and its twin differ: the last line of brute_force.py."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{name}.py" for name in ("reference", "honest", "changed")]
        for path, text in zip(paths, (fault.reference, fault.honest, fault.text), strict=True):
            path.write_text(text)
        words = [sys.executable, "-m", "lockstep", "--findings", "ignore", str(HERE / "brute_force.py"), *map(str, paths)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, cwd=folder)
    lines = [one for one in done.stdout.splitlines() if one.startswith(("differs: ", "same: ", "digits: "))]
    if done.returncode != 0 or not lines:
        raise RuntimeError(f"{fault.name}: {done.stderr[-2000:]}")
    return lines[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--out", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    part, parts = map(int, given.part.split("/"))
    out = pathlib.Path(given.out) if given.out else None
    kept = json.loads(out.read_text()) if out and out.exists() else {}
    faults = [one for one in drawn(given.count, given.seed) if given.only in one.name][part::parts]
    honest.judge_all([(one.name, one.reference, one.text) for one in faults], kept, out, show="accepted")
    wrong = 0
    for one in faults:
        row = kept.get(one.name)
        if row and row["verdict"] == "accepted":
            row["differs"] = row["differs"] if "differs" in row else brute_force(one)
            wrong += row["differs"].startswith("differs") or (row["differs"].startswith("digits") and "less accurate" not in row["text"])
            print(f"{one.name}: accepted: {row['differs']}", flush=True)
    if out:
        out.write_text(json.dumps(kept, indent=1))
    counts = collections.Counter(row["verdict"] for row in kept.values())
    print(f"{len(kept)} planted faults: {dict(counts)}; accepted and different: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
