#!/usr/bin/env python3
"""`[exactly]` means it: the launch at the end of such a condition is clean, and the next one fails.

Conditions come from our own kernels, random integer programs, and, with --corpus, kernels of the open corpus. Sizes are drawn here
(boundaries.py), not taken from what `prove` ran.
Usage: test_boundaries.py LOCKSTEP [CONDITIONS] [--seed N] [--programs FIRST] [--corpus FOLDER] [--jobs N] [--show]
"""

import argparse
import collections
import concurrent.futures
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from boundaries import Question, try_condition  # noqa: E402
from random_programs import Program  # noqa: E402
from test_prove import CASES  # noqa: E402
from test_published import CASES as PUBLISHED  # noqa: E402

PAIRS = ["--properties", "races,lanes"]
# A launch beyond it may be clean: with few programs nobody comes to the last row.
NOT_EXACT = [("some_rows", ["x=*f32", "out=*f32", "n", "per"], 'n <= owned("x")'),
             ("few_rows", ["x=*f32", "T", "offset"], "(grid.x - 1)*T <= 2147483647"),
             ("few_rows", ["x=*f32", "T", "offset"], '(grid.x - 1)*T + 1 <= owned("x")')]
LEAST_TRIED = 0.8  # of the conditions that are marked


def own_kernels():
    """(target, words)"""
    for kernel, (grid, words, names), code, _ in CASES:
        if code == 0 and names:
            free = [f"{word.split('=')[0]}=*f32" if "=f32[" in word else word for word in words]
            yield HERE / f"kernels.py::{kernel}", ["--grid", grid, *words]
            yield HERE / f"kernels.py::{kernel}", [*free, *names, *PAIRS]
    for kernel, grid, words, more, *_ in PUBLISHED:
        yield HERE / f"published.py::{kernel}", ["--grid", grid, *words, *more]


def random_program(number, folder):
    """Random arithmetic with another contract: some memory of unknown size, some grids of any size."""
    program, pick = Program(number), random.Random(f"contract {number}")
    path = folder / f"{program.name}.py"
    path.write_text(program.text())
    words = [f"BLOCK={program.block}"] + (["--grid", program.grid] if pick.random() < 0.6 else [])
    for name, length in zip(("x", "out"), program.lengths, strict=True):
        words.append(f"{name}=*f32" if pick.random() < 0.5 else f"{name}=f32[{length}]")
    return f"{path}::{program.name}", [*words, *(["n", "m"]), *(PAIRS if pick.random() < 0.3 else [])]


def corpus_kernels(folder, lockstep):
    """The first specialisation of each kernel, as open_corpus.py lowers it."""
    import open_corpus

    folder.mkdir(parents=True, exist_ok=True)
    for launch in open_corpus.first_of_each_kernel(open_corpus.corpus_bytes.read_launches("1/1")):
        path = open_corpus.lowered_once(lockstep, folder, launch)
        if path is not None:
            yield path, open_corpus.assumptions(path.read_text())


def answers(task):
    """Of one kernel: (answer, condition, what was run) for each condition marked [exactly]."""
    lockstep, target, words, seed = task
    try:
        done = subprocess.run([lockstep, "prove", str(target), "--json", *words], capture_output=True, text=True, errors="replace", timeout=120, check=False)
        report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return []
    if report["answer"] != "holds":
        return []
    question = Question(report, "races,lanes" in words)
    marked = [i for i, one in enumerate(report["conditions"]) if one["exactly"]]
    return [(*try_condition(lockstep, target, question, i, seed), question.conditions[i], str(target)) for i in marked]


def wrongly_marked(lockstep, kernel, words, condition):
    """Whether a condition is marked that is not exact. The kernel has to be proved under it."""
    done = subprocess.run([lockstep, "prove", f"{HERE / 'kernels.py'}::{kernel}", "--json", *words], capture_output=True, text=True, check=False, timeout=120)
    found = [one for one in json.loads(done.stdout)["conditions"] if one["expression"] == condition]
    return [] if found and not found[0]["exactly"] else [f"{kernel}: {condition} is marked, or is not there: {done.stdout}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("conditions", type=int, nargs="?", default=25)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--programs", type=int, default=0, help="number of the first random program")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    counts, wrong = collections.Counter(), [one for case in NOT_EXACT for one in wrongly_marked(given.lockstep, *case)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:

        def tasks():
            yield from ((given.lockstep, target, words, given.seed) for target, words in own_kernels())
            if given.corpus:
                yield from ((given.lockstep, target, words, given.seed) for target, words in corpus_kernels(given.corpus, given.lockstep))
            number = given.programs
            while True:
                yield (given.lockstep, *random_program(number, Path(folder)), given.seed)
                number += 1

        source, kernels = tasks(), 0
        while counts["tried"] < given.conditions and len(wrong) < 200:
            batch = [next(source) for _ in range(4 * given.jobs)]
            kernels += len(batch)
            for found in pool.map(answers, batch):
                for answer, run, condition, target in found:
                    counts[answer] += 1
                    if answer in ("within fails", "beyond is clean"):
                        wrong.append(f"{answer}: {condition} of {target}\n  {run}")
                    if given.show:
                        print(f"{answer}: {condition} of {target}: {run}", flush=True)
    print("\n".join(wrong))
    print(f"seed {given.seed}: {kernels} kernels, {sum(counts.values())} conditions marked [exactly]: {dict(counts)}")
    return 1 if wrong or counts["tried"] < LEAST_TRIED * sum(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
