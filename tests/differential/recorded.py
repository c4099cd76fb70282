#!/usr/bin/env python3
"""Holds what an H200 answered to the cases of tests/ops against the enclosures of those cases.

    recorded.py [--op STEM ...] [--every N] [--verbose]

Every recorded case runs through `lockstep enclose --check --against`: an answer outside is a fault of the rule (the
GPU was right), and so is a value of the interpreter outside of its own bounds. Prints one line an op that has cases
outside, then the totals; exit code 1 if there is any. Needs what tests/ops needs, and no GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from support.case import In, Scalar, initial_of

from support import catalogue, elements, recorded, runner, signature

#: Ops with answers that the language leaves open; the rule of docs/semantics.md says what differs.
UNSPECIFIED = {
    "arith_ceildivsi": "S-20: x // 0",
    "arith_ceildivui": "S-20: x // 0",
    "arith_divsi": "S-20: x // 0",
    "arith_divui": "S-20: x // 0",
    "arith_floordivsi": "S-20: x // 0",
    "arith_remsi": "S-20: x % 0",
    "arith_remui": "S-20: x % 0",
}


def as_file(array: np.ndarray) -> np.ndarray:
    """As `--against` reads it: bits only where NumPy has no such type."""
    return array if array.dtype.kind in "iuf" and array.dtype.isbuiltin == 1 else elements.bits(array)


def words_of(case, folder: Path) -> list[str]:
    """The command line of one case; the recorded answer lies beside the arguments."""
    module = folder / "case.ttir"
    module.write_text(case.ttir)
    words = [
        "enclose",
        str(module),
        "--json",
        "--check",
        "--grid",
        ",".join(map(str, case.grid)),
        "--num-warps",
        str(case.num_warps),
    ]
    words += ["--as", case.target]
    answers = iter(recorded.answer(case.stem, case))
    for parameter, argument in zip(signature.parameters(case.ttir), case.arguments):
        if isinstance(argument, Scalar):
            words.append(f"{parameter.name}={runner.scalar_text(argument.value, parameter.type)}")
            continue
        array = initial_of(argument)
        path = folder / f"{parameter.name}.npy"
        np.save(path, elements.bits(array))
        words.append(f"{parameter.name}=@{path}:{runner.file_type(parameter, array)}")
        if not isinstance(argument, In):
            answer = folder / f"{parameter.name}.gpu.npy"
            np.save(answer, as_file(next(answers)))
            words += ["--against", f"{parameter.name}=@{answer}"]
    return words


def judge(case) -> tuple[int, int, int, str]:
    """Elements, of them unbounded and outside, and what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        outcome = runner.call(words_of(case, Path(name)))
    if outcome.returncode not in (0, 1) or not outcome.stdout.strip():
        return 0, 0, 1, outcome.stderr.strip()[-400:]
    report = json.loads(outcome.stdout[outcome.stdout.index("{") :])
    elements_, unbounded = (sum(one[key] for one in report["tensors"]) for key in ("elements", "unbounded"))
    outside = sum(one["outside"] for one in report["verdicts"])
    first = next((one["first"] for one in report["verdicts"] if one["first"]), None)
    return elements_, unbounded, outside, json.dumps(first) if first else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--op", action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    totals, bad, number = [0, 0, 0, 0], 0, 0
    for stem in options.op or catalogue.op_files():
        outside_here = 0
        for case in catalogue.cases_of(stem):
            if case.gpu is not True or case.exit_code != 0:
                continue
            case.stem = stem
            number += 1
            if recorded.answer(stem, case) is None or number % options.every != 0:
                continue
            count, unbounded, outside, text = judge(case)
            totals = [totals[0] + 1, totals[1] + count, totals[2] + unbounded, totals[3] + outside]
            if outside and stem not in UNSPECIFIED:
                outside_here += 1
                if options.verbose or outside_here == 1:
                    print(f"{stem}: {case.name}: {outside} outside: {text}", flush=True)
            elif options.verbose and unbounded:
                print(f"{stem}: {case.name}: {unbounded} of {count} unbounded", flush=True)
        bad += outside_here
    print(f"{totals[0]} cases, {totals[1]} elements, {totals[2]} unbounded, {totals[3]} outside; {bad} cases at fault")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
