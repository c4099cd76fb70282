#!/usr/bin/env python3
"""How the cost of a launch grows, beside what the machine can do: curves for docs/performance.md.

  PYTHONPATH=build/python python bench/growth.py [--limits build/lockstep_limits_v4] [--write docs/pictures]

Curves: programs (launches of more and more programs), block (1 Mi elements in larger and larger blocks), ops (more and
more operations per element), threads (1, 2, 4), tiles (matrix products with larger and larger tiles), steps (an empty
loop). Times are the shortest of many launches of a prepared kernel. Limits: a copy of the same bytes, Eigen's product.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))
os.environ.setdefault("LOCKSTEP", "1")

import growth_kernels
import kernels
import torch

SECONDS = 0.25  # spent on a point


@dataclass
class Curve:
    """One picture: lines of (x, seconds) by name; `per` says what a point's time is divided by on the page."""

    name: str
    x_words: str
    y_words: str
    lines: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def add(self, line: str, x: float, y: float) -> None:
        self.lines.setdefault(line, []).append((x, y))


def shortest(run: Callable[[], object]) -> float:
    """Seconds of the fastest of the runs that fit into SECONDS, at least three."""
    run()
    best, done, end = float("inf"), 0, time.perf_counter() + SECONDS
    while done < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
        done += 1
    return best


def prepared(kernel: object, grid: tuple[int, ...], **arguments: object) -> Callable[[], object]:
    """The compiled kernel's launcher on these arguments, as Triton calls it."""
    compiled = kernel[grid](**arguments)
    fixed = (*(*grid, 1, 1)[:3], 0, compiled.function, compiled.packed_metadata, None, None, None)
    order = [arguments[name] for name in kernel.arg_names]
    return lambda: compiled.run(*fixed, *order)


def set_threads(count: int) -> None:
    import lockstep

    lockstep.set_options(threads=count)


class Limits:
    """What the machine can do, from lockstep_limits; nothing where that program is not built."""

    def __init__(self, program: Path | None) -> None:
        self.program = program if program and program.exists() else None

    def measure(self, what: str, size: int, threads: int) -> float | None:
        """Shortest seconds of a copy of `size` bytes or of a product of size x size matrices."""
        if self.program is None:
            return None
        words = [str(self.program), what, str(size), str(threads), "0.3"]
        environment = os.environ | {"OMP_PROC_BIND": "true"}
        return float(subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout)


def vectors(n: int) -> dict[str, object]:
    return {"x": torch.randn(n), "y": torch.randn(n), "out": torch.empty(n), "n": n}


def add_limit(curve: Curve, limits: Limits, line: str, x: float, bytes_moved: int, threads: int) -> None:
    """A copy that reads and writes as many bytes altogether."""
    seconds = limits.measure("copy", max(bytes_moved // 2, 64), threads)
    if seconds is not None:
        curve.add(line, x, seconds)


def programs(limits: Limits) -> Curve:
    curve = Curve("programs", "programs of 1024 elements (vector add f32)", "µs a launch")
    for threads in (1, 2):
        set_threads(threads)
        for exponent in range(0, 17, 2):
            count = 1 << exponent
            n = count * 1024
            run = prepared(kernels.vector_add, (count,), **vectors(n), BLOCK=1024)
            curve.add(f"Lockstep, {threads} threads", count, shortest(run))
            add_limit(curve, limits, f"copy of as many bytes, {threads} threads", count, 12 * n, threads)
    return curve


def block(limits: Limits) -> Curve:
    curve = Curve("block", "BLOCK (vector add f32, 1 Mi elements)", "µs a launch")
    n = 1 << 20
    given = vectors(n)
    for threads in (1, 2):
        set_threads(threads)
        for exponent in range(4, 21, 2):
            run = prepared(kernels.vector_add, (n >> exponent,), **given, BLOCK=1 << exponent)
            curve.add(f"Lockstep, {threads} threads", 1 << exponent, shortest(run))
    for threads in (1, 2):
        seconds = limits.measure("copy", 6 * n, threads)
        for exponent in (4, 20) if seconds is not None else ():
            curve.add(f"copy of as many bytes, {threads} threads", 1 << exponent, seconds)
    return curve


def ops(limits: Limits) -> Curve:
    curve = Curve("ops", "multiply-adds per element (1 Mi elements, BLOCK 1024)", "µs a launch")
    n = 1 << 20
    given = vectors(n)
    for threads in (1, 2):
        set_threads(threads)
        for count in (1, 2, 4, 8, 16, 32, 64):
            run = prepared(growth_kernels.polynomial, (n // 1024,), **given, OPS=count, BLOCK=1024)
            curve.add(f"Lockstep, {threads} threads", count, shortest(run))
    torch.set_num_threads(2)
    for count in (1, 4, 16, 64):
        out = given["out"]

        def chain(count: int = count, out: torch.Tensor = out) -> None:
            out.copy_(given["x"])
            for _ in range(count):
                out.mul_(given["x"]).add_(given["y"])

        curve.add("torch, an operator each, 2 threads", count, shortest(chain))
    return curve


def threads_curve(limits: Limits) -> Curve:
    curve = Curve("threads", "threads", "ms a launch")
    x = torch.randn(4096, 1024)
    a, b = torch.randn(512, 512), torch.randn(512, 512)
    product = {"a": a, "b": b, "out": torch.empty(512, 512), "m": 512, "n": 512, "k": 512}
    tiles = {"TILE_M": 64, "TILE_N": 64, "TILE_K": 32, "PRECISION": "ieee"}
    works = {
        "vector add, 16 Mi": prepared(kernels.vector_add, (1 << 14,), **vectors(1 << 24), BLOCK=1024),
        "softmax 4096x1024": prepared(
            kernels.softmax, (4096,), x=x, out=torch.empty_like(x), columns=1024, BLOCK=1024
        ),
        "matmul f32 512^3": prepared(kernels.matmul, (64,), **product, **tiles),
    }
    for count in (1, 2, 4):
        set_threads(count)
        for name, run in works.items():
            curve.add(name, count, shortest(run))
    for count in (1, 2):
        add_limit(curve, limits, "copy of 16 Mi elements' bytes", count, 12 << 24, count)
        seconds = limits.measure("gemm", 512, count)
        if seconds is not None:
            curve.add("Eigen 512^3", count, seconds)
    return curve


def tiles(limits: Limits) -> Curve:
    curve = Curve("tiles", "tile (square, TILE_K 32) of a 1024^3 product, f32 ieee", "ms a launch")
    n = 1024
    given = {"a": torch.randn(n, n), "b": torch.randn(n, n), "out": torch.empty(n, n), "m": n, "n": n, "k": n}
    for threads in (1, 2):
        set_threads(threads)
        for tile in (16, 32, 64, 128, 256):
            run = prepared(kernels.matmul, ((n // tile) ** 2,), **given, TILE_M=tile, TILE_N=tile, TILE_K=32,
                           PRECISION="ieee")  # fmt: skip
            curve.add(f"Lockstep, {threads} threads", tile, shortest(run))
        seconds = limits.measure("gemm", n, threads)
        for tile in (16, 256) if seconds is not None else ():
            curve.add(f"Eigen on the whole matrices, {threads} threads", tile, seconds)
    return curve


def steps(limits: Limits) -> Curve:
    curve = Curve("steps", "iterations of a loop (one program, one thread)", "µs a launch")
    set_threads(1)
    loops = {"scalar arithmetic": growth_kernels.scalar_loop, "load, add, store": growth_kernels.tile_loop}
    for name, kernel in loops.items():
        for exponent in range(0, 17, 2):
            x, out = torch.randn(1024), torch.empty(1024)
            run = prepared(kernel, (1,), x=x, out=out, count=1 << exponent)
            curve.add(name, 1 << exponent, shortest(run))
    return curve


CURVES = {"programs": programs, "block": block, "ops": ops, "threads": threads_curve, "tiles": tiles, "steps": steps}
UNITS = {"µs": 1e6, "ms": 1e3}


def table(curve: Curve) -> list[str]:
    """The numbers as a Markdown table, a row per line of the picture."""
    places: list[float] = sorted({x for line in curve.lines.values() for x, _ in line})
    factor = UNITS[curve.y_words.split()[0]]
    rows = [f"| {curve.y_words} at {curve.x_words} | " + " | ".join(f"{x:g}" for x in places) + " |"]
    rows.append("|---" * (len(places) + 1) + "|")
    for name, line in curve.lines.items():
        known = dict(line)
        cells = [f"{known[x] * factor:.3g}" if x in known else "" for x in places]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return rows


def draw(path: Path, curve: Curve) -> None:
    """Both axes logarithmic; limits are dashed."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "lockstep"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 3.8))
    factor = UNITS[curve.y_words.split()[0]]
    for name, line in curve.lines.items():
        is_limit = name.startswith(("copy", "Eigen", "torch"))
        places, values = zip(*line, strict=True)
        axes.plot(places, [y * factor for y in values], marker="" if is_limit else "o", markersize=3, linewidth=1.2,
                  linestyle="--" if is_limit else "-", label=name)  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel(curve.x_words, fontsize=8)
    axes.set_ylabel(curve.y_words, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(visible=True, which="major", linewidth=0.3)
    axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def renew(page: Path, curve: Curve) -> None:
    """Puts the curve's table where the page marks it; ValueError where it does not."""
    before, start, rest = page.read_text().partition(f"<!-- table {curve.name} -->\n")
    if not start:
        raise ValueError(f"{page} has no place for {curve.name}")
    page.write_text("\n".join([before + start.rstrip("\n"), *table(curve), rest[rest.index("<!-- end -->") :]]))


def chosen(only: str) -> Iterable[Callable[[Limits], Curve]]:
    return [CURVES[name] for name in (only.split(",") if only else CURVES)]


def main() -> int:
    """Measures the curves, prints their tables, draws them where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limits", type=Path, default=ROOT / "build" / "lockstep_limits_v4")
    parser.add_argument("--write", type=Path, help="folder for NAME.svg and growth.json")
    parser.add_argument("--page", type=Path, help="page with <!-- table NAME --> ... <!-- end --> to renew")
    parser.add_argument("--only", default="", help="names of curves by commas: " + ",".join(CURVES))
    arguments = parser.parse_args()
    limits, curves = Limits(arguments.limits), []
    for measure in chosen(arguments.only):
        curves.append(measure(limits))
        print("\n".join([*table(curves[-1]), ""]), flush=True)
        if arguments.write:
            arguments.write.mkdir(parents=True, exist_ok=True)
            draw(arguments.write / f"{curves[-1].name}.svg", curves[-1])
        if arguments.page:
            renew(arguments.page, curves[-1])
    if arguments.write:
        words = {curve.name: {"x": curve.x_words, "y": curve.y_words, "lines": curve.lines} for curve in curves}
        (arguments.write / "growth.json").write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
