#!/usr/bin/env python3
"""What Lockstep adds to Triton's own Python path of a launch: an empty kernel with three tensors and two integers.

Both sides are measured in one run, in turns: JITFunction.run with a launcher that does nothing, and with Lockstep's.
Prints medians of the rounds in microseconds and their difference; exit code 1 if that is above --limit.
An empty kernel of one program never leaves the calling thread, whose processor time is what is measured.
Run it with PYTHONPATH=build/python or an installed Lockstep.
"""

import argparse
import statistics
import sys
import time

import torch
import triton
import triton.language as tl


@triton.jit
def nothing(x, y, z, rows, columns):
    """Five arguments, no work."""
    tl.program_id(0)


def do_nothing(*arguments: object) -> None:
    """Stands in for a launcher."""


def seconds_per_call(call: object, count: int) -> float:
    """Mean processor time of one call in a row of `count`: what others do on the machine hardly counts."""
    start = time.thread_time()
    for _ in range(count):
        call()
    return (time.thread_time() - start) / count


def measure(rounds: int, count: int) -> dict[str, float]:
    """Medians in microseconds by name."""
    arguments = (torch.zeros(64, 64), torch.zeros(64, 64), torch.zeros(64, 64), 640, 4800)
    compiled = nothing[(1,)](*arguments)
    launcher = compiled.run
    launch = nothing[(1,)]
    fixed = (1, 1, 1, 0, compiled.function, compiled.packed_metadata, None, None, None)

    times: dict[str, list[float]] = {"Triton alone": [], "with Lockstep": [], "launcher alone": []}
    for _ in range(rounds):
        compiled.run = do_nothing
        times["Triton alone"].append(seconds_per_call(lambda: launch(*arguments), count))
        compiled.run = launcher
        times["with Lockstep"].append(seconds_per_call(lambda: launch(*arguments), count))
        times["launcher alone"].append(seconds_per_call(lambda: launcher(*fixed, *arguments), count))
    return {name: statistics.median(values) * 1e6 for name, values in times.items()}


def main() -> int:
    """Measures, prints, compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--limit", type=float, default=8.0, help="microseconds that Lockstep may add")
    options = parser.parse_args()
    medians = measure(options.rounds, options.count)
    added = medians["with Lockstep"] - medians["Triton alone"]
    for name, value in medians.items():
        print(f"{name:>16}: {value:7.2f} us")
    print(f"{'added':>16}: {added:7.2f} us (limit {options.limit:g})")
    return 1 if added > options.limit else 0


if __name__ == "__main__":
    sys.exit(main())
