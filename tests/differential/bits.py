#!/usr/bin/env python3
"""Of what an H200 answered, how much has the same bits with `--bits`, and how much without.

    bits.py [--op STEM ...] [--every N] [--plain] [--causes FILE] [--floor]

Runs recorded cases of tests/ops and every capsule of tests/differential/capsules that was recorded on a GPU, and
counts launches whose outputs are byte-equal (any NaN for a NaN). Prints a line an op with its share, before and after.
`--causes` writes what still differs, one line a launch. `--floor` fails (exit code 1) if a launch differs that
bits_open.json does not name; `--write` writes that file. Needs what tests/ops needs, and no GPU.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ops"))

from support import catalogue, compare, recorded, runner  # noqa: E402

#: Op files of tests/ops whose ops have the GPU's bits; `--op` takes any.
OPS = [
    "arith_divf", "arith_remf", "math_cos", "math_erf", "math_exp", "math_exp2", "math_log", "math_log2", "math_rsqrt",
    "math_sin", "math_sqrt", "tt_dot", "tt_dot_scaled", "tt_elementwise_inline_asm", "tt_extern_elementwise", "tt_reduce", "tt_scan",
]  # fmt: skip
OPEN = HERE / "bits_open.json"  # by op: launches that are known to differ


def differing(got: list, expected: list) -> int:
    """Elements that differ; -1: an output is missing."""
    count = 0
    for mine, theirs in zip(got, expected):
        if mine is None:
            return -1
        if theirs is not None:
            count += int((~compare.same(mine, theirs)).sum())
    return count


def of_case(case, options: list[str]) -> int:
    own = case.options
    case.options = [*own, *options]
    try:
        with tempfile.TemporaryDirectory() as name:
            outcome = runner.run(case, Path(name))
    finally:
        case.options = own
    if outcome.returncode not in (0, 1):
        return -1
    return differing(outcome.outputs, recorded.answer(case.stem, case))


def cases(stems: list[str]) -> Iterator:
    for stem in stems:
        for case in catalogue.cases_of(stem):
            if case.gpu is not True or case.exit_code != 0 or case.target != "sm_90":
                continue
            case.stem = stem
            if recorded.answer(stem, case) is not None:
                yield case


def written(path: Path) -> list[str]:
    """The arguments whose storage the GPU changed."""
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    storages = manifest["storages"]
    return [
        one["name"]
        for one in manifest["arguments"]
        if one["kind"] == "pointer" and one.get("storage") is not None and "after" in storages[one["storage"]]
    ]


def of_capsule(path: Path, options: list[str]) -> int:
    words = ["run", str(path), "--check", "none", "--threads", "1", "--as", "sm_90", "--ulp", "0", *options]
    for name in written(path):
        words += ["--expect", f"{name}=recorded"]
    outcome = runner.call(words)
    if outcome.returncode == 0:
        return 0
    counts = [int(count) for count in re.findall(r": (\d+) of \d+ elements? differs?", outcome.stdout + outcome.stderr)]
    return sum(counts) or -1


def capsules(folder: Path, every: int) -> Iterator[tuple[str, Path]]:
    """Launches of the corpora (an H100, Triton 3.6), and those of record_h200.py."""
    with tarfile.open(HERE / "recorded/bits.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    for path in sorted(folder.glob("*.capsule"))[::every]:
        yield "corpus", path
    for path in sorted((HERE / "capsules").glob("*.capsule"))[:: max(1, every // 4)]:
        if written(path):
            yield "capsules", path


class Tally:
    """Launches by op: all, equal without and with --bits."""

    def __init__(self) -> None:
        self.rows: dict[str, list[int]] = {}
        self.causes: list[str] = []
        self.open: dict[str, list[str]] = {}

    def add(self, stem: str, name: str, plain: int | None, bits: int | None) -> None:
        row = self.rows.setdefault(stem, [0, 0, 0])
        row[0] += 1
        row[1] += plain == 0
        row[2] += bits == 0
        if bits:
            self.open.setdefault(stem, []).append(name)
            self.causes.append(f"{stem}: {name}: {bits} elements differ (plain: {plain})")

    def print(self) -> None:
        for stem, (count, plain, bits) in sorted(self.rows.items()):
            if plain != count or bits != count:
                print(f"{stem:34} {count:5} {plain:5} {bits:5}")
        total = [sum(row[i] for row in self.rows.values()) for i in range(3)]
        print(f"{'all':34} {total[0]:5} {total[1]:5} {total[2]:5}")


def newly_differing(tally: Tally) -> list[str]:
    known = json.loads(OPEN.read_text())
    return [
        f"{stem}: {name} has not the GPU's bits, and bits_open.json does not say so"
        for stem, names in tally.open.items()
        for name in names
        if name not in known.get(stem, [])
    ]


def write_open(tally: Tally) -> None:
    """Replaces what is known of the ops that ran."""
    known = json.loads(OPEN.read_text()) if OPEN.exists() else {}
    for stem in tally.rows:
        known.pop(stem, None)
    known |= {stem: sorted(names) for stem, names in tally.open.items()}
    OPEN.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--op", action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="also without --bits")
    parser.add_argument("--only-plain", action="store_true")
    parser.add_argument("--causes", type=Path)
    parser.add_argument("--floor", action="store_true", help="fail if another launch differs than bits_open.json says")
    parser.add_argument("--write", action="store_true", help="write bits_open.json")
    options = parser.parse_args()
    tally = Tally()
    for number, case in enumerate(cases(options.op or OPS)):
        if number % options.every == 0:
            plain = of_case(case, []) if options.plain or options.only_plain else None
            bits = None if options.only_plain else of_case(case, ["--bits"])
            tally.add(case.stem, case.name, plain, bits)
    if not options.op:
        with tempfile.TemporaryDirectory() as name:
            for kind, path in capsules(Path(name), options.every):
                plain = of_capsule(path, []) if options.plain or options.only_plain else None
                bits = None if options.only_plain else of_capsule(path, ["--bits"])
                tally.add(kind, path.stem, plain, bits)
    tally.print()
    if options.causes:
        options.causes.write_text("\n".join(tally.causes) + "\n")
    if options.write:
        write_open(tally)
    wrong = newly_differing(tally) if options.floor else []
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
