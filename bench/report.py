"""What bench/compare.py prints and writes: facts of the machine, the table, geometric means, limits, the picture.

Results are the dictionaries of Comparison.measure. Ratios are those of minima unless a heading says medians: on a
machine that does other things too, the minimum is what the work costs. Not here: measuring.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Result = dict[str, Any]
ROOT = Path(__file__).resolve().parents[1]
BUSY_LOAD = 0.7
WORST_ROW = 1.5  # of torch's time, at most
FEATURES = ("sse4_2", "avx", "f16c", "fma", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512_bf16", "avx512_fp16",
            "amx_tile")  # fmt: skip


@dataclass
class Limit:
    """One requirement: `value` against `bound`; at_most says which side is good."""

    name: str
    words: str
    value: float
    bound: float
    at_most: bool = True

    @property
    def holds(self) -> bool:
        return self.value <= self.bound if self.at_most else self.value >= self.bound


def machine_facts(threads: int, isa: str | None) -> list[str]:
    """Lines for the head of a report."""
    facts: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    features = [name for name in FEATURES if name in facts.get("flags", "").split()]
    words = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    modules = ", ".join(f"{name} {importlib.import_module(name).__version__}" for name in ("torch", "triton", "numpy"))
    load = os.getloadavg()[0]
    return [
        f"- processor: {facts.get('model name', platform.processor())}, {os.cpu_count()} cores",
        f"- features: {' '.join(features)}" + (f"; LOCKSTEP_ISA={isa}, torch limited alike" if isa else ""),
        f"- versions: Python {platform.python_version()}, {modules}; commit {commit}; threads: {threads}",
        f"- load before the run (1 minute): {load:.2f}" + (" (busy: trust minima only)" if load > BUSY_LOAD else ""),
    ]


def least(result: Result, side: str) -> float:
    """Shortest time in seconds of the whole work; nan where the side has none."""
    times = result["times"].get(side)
    return min(times) * (result["scale"] if side == "interpreter" else 1) if times else math.nan


def middle(result: Result, side: str) -> float:
    """As `least`, the median."""
    times = result["times"].get(side)
    return statistics.median(times) * (result["scale"] if side == "interpreter" else 1) if times else math.nan


def ratio(result: Result, of: str, to: str, pick: Any = least) -> float:
    return pick(result, of) / pick(result, to)


def milliseconds(result: Result, side: str) -> str:
    if side in result["errors"]:
        return result["errors"][side].replace("|", "/")
    if not result["times"].get(side):
        return ""
    scaled = f" (×{result['scale']:.0f})" if side == "interpreter" and result["scale"] != 1 else ""
    digits = 0 if side == "interpreter" else 3
    return f"{least(result, side) * 1e3:.{digits}f} / {middle(result, side) * 1e3:.{digits}f}{scaled}"


def number(value: float, digits: int) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"


HEADINGS = """\
| work | Lockstep min / median, ms | torch min / median, ms | Lockstep / torch | of medians | interpreter, ms | ratio |
|---|---|---|---|---|---|---|""".splitlines()


def line(result: Result) -> str:
    """A row of the table."""
    cells = [result["name"] + ("" if result["in_mean"] else " *")]
    cells += [milliseconds(result, side) for side in ("lockstep", "torch")]
    cells += [f"**{number(ratio(result, 'lockstep', 'torch'), 2)}**"]
    cells += [number(ratio(result, "lockstep", "torch", middle), 2)]
    cells += [milliseconds(result, "interpreter"), number(ratio(result, "interpreter", "lockstep"), 0)]
    return "| " + " | ".join(cells) + " |"


def mean(values: list[float]) -> float:
    """Geometric mean of the numbers among them; nan of none."""
    known = [value for value in values if not math.isnan(value)]
    return statistics.geometric_mean(known) if known else math.nan


def limits(results: list[Result], isa: str | None) -> list[Limit]:
    """The requirements that these results can decide."""
    counted = [result for result in results if result["in_mean"]]
    ratios = [ratio(result, "lockstep", "torch") for result in counted]
    peers = [ratio(result, "interpreter", "lockstep") for result in results]
    found = []
    if not math.isnan(mean(ratios)):
        found.append(Limit("mean", "Lockstep / torch, geometric mean", mean(ratios), 0.9 if isa == "v3" else 0.95))
        worst = max(value for value in ratios if not math.isnan(value))
        found.append(Limit("worst", "Lockstep / torch, worst row", worst, WORST_ROW))
    if not math.isnan(mean(peers)):
        found.append(Limit("interpreter", "interpreter / Lockstep, geometric mean", mean(peers), 500, at_most=False))
    for result in results:
        if "eigen" in result and result["times"].get("lockstep"):
            share = result["eigen"] / least(result, "lockstep")
            bound = 0.7 if "128" in result["name"] else 0.65
            found.append(Limit("eigen", f"{result['name']}: Eigen / Lockstep", share, bound, at_most=False))
        if result["name"].startswith("vector add") and not math.isnan(ratio(result, "torch", "lockstep")):
            value = ratio(result, "torch", "lockstep")
            found.append(Limit("vector-add", f"{result['name']}: torch / Lockstep", value, 0.9, at_most=False))
    return found


def summary(results: list[Result], found: list[Limit]) -> list[str]:
    """Means, limits and what could not be measured."""
    counted = [result for result in results if result["in_mean"]]
    medians = mean([ratio(result, "lockstep", "torch", middle) for result in counted])
    lines = [f"Geometric mean of Lockstep / torch by medians: {number(medians, 2)}.", ""]
    lines += ["| limit | measured | must be | holds |", "|---|---|---|---|"]
    for limit in found:
        sign = "≤" if limit.at_most else "≥"
        holds = "yes" if limit.holds else "NO"
        lines.append(f"| {limit.words} | {limit.value:.2f} | {sign} {limit.bound:g} | {holds} |")
    return lines


NOTES = """
Times are the shortest and the median of all turns; ratios are of the shortest. Rows with * are outside the means.
(×N): Triton's interpreter ran one Nth of the grid and its time is multiplied. Both sides of a row do the same work on
equal inputs in turn, each in a process of its own, and the outputs agree to the rounding of the types. Lockstep's time
is that of one more launch from Python of a kernel that has been launched before, with all checks on; a fla row is the
library's function as its users call it. What torch does:
"""


def write(folder: Path, facts: list[str], results: list[Result], found: list[Limit]) -> None:
    """RESULTS.md, results.json and ratios.svg in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    table = [*HEADINGS, *(line(result) for result in results)]
    does = [f"- {result['name']}: {result['torch_words']}" for result in results]
    text = ["# Results of bench/compare.py", "", *facts, "", "![ratios](ratios.svg)", "", *table, ""]
    text += [*summary(results, found), NOTES, *does, ""]
    (folder / "RESULTS.md").write_text("\n".join(text))
    (folder / "results.json").write_text(one_line_each(facts, results))
    draw(folder / "ratios.svg", results)


def one_line_each(facts: list[str], results: list[Result]) -> str:
    """The results as JSON, a row of work a line; times are seconds with five digits."""
    lines = []
    for result in results:
        times = {side: [float(f"{seconds:.5g}") for seconds in all_of] for side, all_of in result["times"].items()}
        lines.append(json.dumps({**result, "times": times}))
    return '{"facts": ' + json.dumps(facts, indent=1) + ',\n"results": [\n' + ",\n".join(lines) + "\n]}\n"


def draw(path: Path, results: list[Result]) -> None:
    """A bar per row: Lockstep's time over torch's, log scale, with the limits as lines. Needs matplotlib."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        print(f"no picture {path.name}: matplotlib is not installed", file=sys.stderr)
        return
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "lockstep", "svg.fonttype": "none"})  # a text is a text: a quarter of the bytes
    from matplotlib import pyplot

    known = [result for result in results if not math.isnan(ratio(result, "lockstep", "torch"))][::-1]
    values = [ratio(result, "lockstep", "torch") for result in known]
    figure, axes = pyplot.subplots(figsize=(9, 0.32 * len(known) + 1.2))
    colours = ["#4878a8" if result["in_mean"] else "#a8b8c8" for result in known]
    axes.barh(range(len(known)), [value - 0.1 for value in values], left=0.1, color=colours)
    for at, value in enumerate(values):
        axes.text(value * 1.03, at, f"{value:.2f}", va="center", fontsize=7)
    axes.set_yticks(range(len(known)), [result["name"] for result in known], fontsize=7)
    axes.set_xscale("log")
    axes.set_xlim(0.1, max([4.0, *values]) * 1.3)
    for at, words in ((1.0, "torch"), (WORST_ROW, "a row's limit")):
        axes.axvline(at, color="#c04040" if at > 1 else "#404040", linewidth=0.8, linestyle="--" if at > 1 else "-")
        axes.text(at, len(known) - 0.3, words, fontsize=6, ha="left" if at > 1 else "right")
    axes.set_xlabel("time of Lockstep / time of torch on the CPU (shorter is better)", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
