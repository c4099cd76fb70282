"""The table of real kernels: which of kernels.json ran on Lockstep, for which GPU, in which types and directions, how
well they agreed.

    LOCKSTEP_CORPUS_OUT=run.jsonl pytest tests/corpus      # the recorder appends a line per test and kernel
    python tests/corpus/table.py --gather run.jsonl [...]  # puts its packages into results.jsonl, writes docs/corpus.md
    python tests/corpus/table.py [--check]                 # writes docs/corpus.md; or says whether it is current
    python tests/corpus/table.py --slow run.jsonl          # kernels that took a second or more

results.jsonl keeps, per kernel and target, one entry for each type and direction: the test whose worst element came
nearest to its bound. Reasons for kernels that no test runs or compares stand in reasons.json. The table never runs a
kernel."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "corpus.md"
PACKAGES = {
    "fla": "fla-core 0.5.2",
    "liger": "liger-kernel 0.8.5",
    "flag_gems": "flag-gems 5.0.2",
    "torchao": "torchao 0.18.0",
    "unsloth": "unsloth 2026.10.9",
    "bitsandbytes": "bitsandbytes 0.50.2",
    "torch_sparse": "torch 2.13.0 (torch.sparse)",
}
SHORT = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "float64": "f64", "float8_e4m3fn": "f8"}
FIELDS = ("dtype", "direction", "agrees", "error", "bound", "test")

Entry = dict[str, Any]
Results = dict[tuple[str, str], list[Entry]]  # (kernel, target) -> entries


def listed() -> dict[str, list[str]]:
    """package -> qualified names of its kernels, as kernels.json lists them by file."""
    files = json.loads((HERE / "kernels.json").read_text(encoding="utf-8"))
    return {
        package: [
            f"{path.removesuffix('.py').replace('/', '.')}.{name}" for path, names in by_file.items() for name in names
        ]
        for package, by_file in files.items()
    }


def reasons() -> dict[str, str]:
    """kernel -> why no test compares it."""
    return json.loads((HERE / "reasons.json").read_text(encoding="utf-8"))


def nearness(entry: Entry) -> float:
    """The worst error relative to its bound; infinite for one that does not agree, -1 if nothing was compared."""
    if entry["agrees"] is None:
        return -1.0
    if not entry["agrees"]:
        return float("inf")
    return entry["error"] / entry["bound"] if entry["bound"] else 0.0


def type_of(record: Entry) -> str:
    """The type under test, where the test's name ends with one; otherwise the types of the kernel's tensors."""
    named = re.search(r"[\[-](f32|f16|bf16)\]$", record["test"])
    return named[1] if named else record["dtype"]


def gather(paths: Iterable[str]) -> Results:
    """What the recorder wrote, reduced to one entry per kernel, target, type and direction."""
    kept: dict[tuple[str, str], dict[tuple[str, str], Entry]] = defaultdict(dict)
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            entry = {field: record[field] for field in FIELDS} | {"test": f"{record['package']}/{record['test']}"}
            entry["dtype"] = type_of(record)
            slot, key = kept[record["kernel"], record["target"]], (entry["dtype"], record["direction"])
            if key not in slot or nearness(entry) > nearness(slot[key]):
                slot[key] = entry
    return {key: [slot[k] for k in sorted(slot)] for key, slot in sorted(kept.items())}


def merged(old: Results, new: Results) -> Results:
    """The new results, and the old ones of packages that the new run did not touch."""
    touched = {entry["test"].split("/", 1)[0] for entries in new.values() for entry in entries}
    both = {
        key: [entry for entry in entries if entry["test"].split("/", 1)[0] not in touched]
        for key, entries in old.items()
    }
    for key, entries in new.items():
        both[key] = both.get(key, []) + entries
    return {key: both[key] for key in sorted(both) if both[key]}


def shortened(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.3g}")


def save(results: Results) -> None:
    """One line per kernel and target: [kernel, target, [dtype, direction, agrees, error, bound, test]...]."""
    lines = [
        json.dumps(
            [
                *key,
                *(
                    [e["dtype"], e["direction"], e["agrees"], shortened(e["error"]), shortened(e["bound"]), e["test"]]
                    for e in entries
                ),
            ]
        )
        for key, entries in results.items()
    ]
    (HERE / "results.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def load() -> Results:
    path = HERE / "results.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {(row[0], row[1]): [dict(zip(FIELDS, entry)) for entry in row[2:]] for row in rows}


def types_of(entries: list[Entry]) -> str:
    found = {SHORT.get(part, part) for entry in entries for part in entry["dtype"].split("+") if part != "none"}
    order = [*SHORT.values()]
    return " ".join(sorted(found, key=lambda name: (order.index(name) if name in order else len(order), name)))


def verdict(entries: list[Entry]) -> str:
    if any(entry["agrees"] is False for entry in entries):
        return "**differs**"
    return "agrees" if any(entry["agrees"] for entry in entries) else "ran, no reference"


def row(name: str, target: str, entries: list[Entry]) -> str:
    worst = max(entries, key=nearness)
    numbers = "exact" if not worst["bound"] else f"{worst['error']:.2g} / {worst['bound']:.2g}"
    if verdict(entries) == "ran, no reference":
        numbers = "-"
    directions = "+".join(
        part for part in ("forward", "backward") if any(entry["direction"] == part for entry in entries)
    )
    return (
        f"| `{name}` | {target} | {types_of(entries)} | {directions} | {verdict(entries)} | {numbers} | "
        f"`{worst['test'].replace('|', chr(92) + '|')}` |"
    )


def section(package: str, kernels: list[str], results: Results, why: dict[str, str]) -> list[str]:
    lines = [
        "",
        f"## {PACKAGES[package]}",
        "",
        "| kernel | target | types | direction | result | worst error / bound | nearest test |",
        "|---|---|---|---|---|---|---|",
    ]
    prefix = kernels[0].split(".", 1)[0] + "."
    for kernel in kernels:
        runs = [(target, entries) for (name, target), entries in results.items() if name == kernel]
        name = kernel.removeprefix(prefix)
        lines += [row(name, target, entries) for target, entries in runs]
        if not any(verdict(entries) == "agrees" for _, entries in runs):
            lines.append(
                f"| `{name}` | - | - | - | {'no reference' if runs else 'not run'} | - | "
                f"{why.get(kernel, 'no test reaches it yet')} |"
            )
    return lines


def totals(results: Results, kernels: dict[str, list[str]]) -> list[str]:
    lines = [
        "| package | listed | ran | agree | differ | types (f32 / f16 / bf16) | others run |",
        "|---|---|---|---|---|---|---|",
    ]
    everything = {name for names in kernels.values() for name in names}
    sums = [0] * 5
    for package, title in PACKAGES.items():
        names = kernels.get(package, [])
        mine = {
            name: [e for (kernel, _), entries in results.items() if kernel == name for e in entries] for name in names
        }
        ran = {name: entries for name, entries in mine.items() if entries}
        differ = sum(any(e["agrees"] is False for e in entries) for entries in ran.values())
        agree = sum(
            any(e["agrees"] for e in entries) and not any(e["agrees"] is False for e in entries)
            for entries in ran.values()
        )
        typed = [sum(kind in types_of(entries).split() for entries in ran.values()) for kind in ("f32", "f16", "bf16")]
        others = {
            kernel
            for (kernel, _), entries in results.items()
            if kernel not in everything and any(e["test"].startswith(package + "/") for e in entries)
        }
        counts = [len(names), len(ran), agree, differ, len(others)]
        sums = [left + right for left, right in zip(sums, counts)]
        lines.append(
            f"| {title} | {counts[0]} | {counts[1]} | {counts[2]} | {counts[3]} | "
            f"{' / '.join(map(str, typed))} | {counts[4]} |"
        )
    lines.append(f"| **all** | **{sums[0]}** | **{sums[1]}** | **{sums[2]}** | **{sums[3]}** | | **{sums[4]}** |")
    return lines


INTRODUCTION = """# Real kernels on Lockstep

Made by `tests/corpus/table.py` from what the tests in `tests/corpus` recorded; do not edit. Each row is a Triton
kernel of a package from PyPI that ran unmodified on Lockstep as the named GPU, through the package's own Python code,
and was compared with a reference in float64 (or exactly, where the definition leaves no rounding). *worst error /
bound* is the element that came nearest to its bound, over all tests and types of the row; bounds follow from the
types' spacing, the number of roundings and the length of sums, stated in each test
(`tests/corpus/support/autograd.py`, `tests/corpus/tolerance.py`). *types* are those of the tests, or of the tensors
given to the kernel where a test has none. *others run* counts kernels of the package that are not listed but ran too.
"""


def findings() -> list[str]:
    """What Lockstep reported about the packages' own code: each entry names the test that shows it."""
    found = json.loads((HERE / "findings.json").read_text(encoding="utf-8"))
    lines = [
        "",
        "## Found on the way",
        "",
        "Errors of the packages that Lockstep reported and a GPU does not show. What all checkers find in the recorded",
        "launches, undefined lanes above all, is in [findings.md](findings.md).",
        "",
    ]
    return lines + [f"- `{item['kernel']}`: {item['what']} (`{item['test']}`)" for item in found]


def beside_a_gpu(shown: int = 12) -> list[str]:
    """What gpu_twin.py printed about the same launches made by an H200: h200.txt, its first lines and how many differ
    at all."""
    head, *rows = (HERE / "h200.txt").read_text(encoding="utf-8").splitlines()
    lines = [
        "",
        "## Beside an H200",
        "",
        f"`tests/corpus/gpu_twin.py` had launches made again by an H200 on the same bytes: {head}.",
        f"Elements differ in {len(rows)} kernels, none by a NaN on one side. The largest differences, relative",
        "to the tensor's largest value, come from sums kept in 16 bits and from products of tf32 operands,",
        "whose order or rounding is the GPU's own:",
        "",
        "| kernel | largest difference | same bits |",
        "|---|---|---|",
    ]
    for row in rows[:shown]:
        difference, same, _, name = row.split(maxsplit=3)
        lines.append(f"| `{name}` | {difference} | {same} |")
    middle = rows[len(rows) // 2].split()[0]
    return [*lines, "", f"Half of the kernels that differ stay below {middle}."]


def page(results: Results) -> str:
    kernels, why = listed(), reasons()
    lines = [INTRODUCTION, *totals(results, kernels), *findings(), *beside_a_gpu()]
    for package in PACKAGES:
        lines += section(package, sorted(kernels.get(package, [])), results, why)
    return "\n".join(lines) + "\n"


def slow(path: str, least: float = 1.0) -> list[str]:
    """Kernels whose launches, their first compilation included, took longest in a run."""
    seconds: dict[str, float] = defaultdict(float)
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        seconds[record["kernel"]] += record["seconds"]
    return [
        f"{value:7.2f} s  {kernel}"
        for kernel, value in sorted(seconds.items(), key=lambda item: -item[1])
        if value >= least
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gather", nargs="+", metavar="RUN", default=[])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--slow", metavar="RUN")
    options = parser.parse_args()
    if options.slow:
        print("\n".join(slow(options.slow)))
        return 0
    if options.gather:
        save(merged(load(), gather(options.gather)))
    text = page(load())
    if options.check:
        return 0 if PAGE.read_text(encoding="utf-8") == text else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
