#!/usr/bin/env python3
"""One side of bench/compare.py in a process of its own: lockstep, torch or interpreter; JSON lines in and out.

  {"open": NAME, "tiny": false, "limit": SECONDS}   makes the row's tensors, runs it once, keeps the outputs
  {"burst": SECONDS, "most": COUNT}                 runs it again and again for that long, at least once: its times
  {"save": PATH}                                    the outputs of the first run, as float tensors

Answers: {"first": seconds, "scale": whole / part, "tolerance": t}, {"seconds": [...]}, {}; {"error": text} where it
did not run.
A launch of a single kernel goes to the prepared kernel as Triton's launcher does it (Lockstep) or through Triton
(interpreter); a library's function is called as its users do, with `@triton.autotune` choosing by time, as on a GPU.
Runs after the first write to the same outputs.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIDE = sys.argv[1]
if SIDE == "interpreter":
    os.environ["TRITON_INTERPRET"] = "1"
    os.environ["LOCKSTEP"] = "0"
THREADS = int(os.environ.get("OMP_NUM_THREADS", "2"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import rows
import torch
from rows.work import Case, Launch, Row

FIRST_PART = 16  # the interpreter tries this part of a grid before it decides to run all of it


class Opened:
    """A row ready to run: `run` does it once; `outputs` are those of the first run."""

    def __init__(self, row: Row, tiny: bool, limit: float) -> None:
        torch.manual_seed(0)
        self.scale, self.stack = 1.0, contextlib.ExitStack()
        if SIDE == "lockstep" and row.pretends:
            import lockstep

            self.stack.enter_context(lockstep.pretend_cuda())
            self.stack.enter_context(lockstep.options(target="sm_80", autotune="fastest"))
        device = "cuda" if SIDE == "lockstep" and row.pretends else "cpu"
        self.case = row.build(device=device, **(row.tiny if tiny else row.sizes))
        start = time.perf_counter()
        self.run, outputs = self.first(self.case, limit)
        self.seconds = time.perf_counter() - start
        self.outputs = [part.detach().cpu().float().clone() for part in outputs]

    def first(self, case: Case, limit: float) -> tuple[Callable[[], Any], list[torch.Tensor]]:
        if SIDE == "torch":
            return case.torch_side, case.torch_side()
        if not isinstance(case.kernel, Launch):
            return case.kernel.function, case.kernel.function()
        return (launched if SIDE == "lockstep" else self.interpreted)(case.kernel, limit)

    def interpreted(self, work: Launch, limit: float) -> tuple[Callable[[], Any], list[torch.Tensor]]:
        """All of the grid where that takes less than `limit` seconds as far as a part shows, else that part."""
        whole = work.grid[work.part_axis]
        part = work.part or max(1, whole // FIRST_PART)
        grid = tuple(min(part, n) if axis == work.part_axis else n for axis, n in enumerate(work.grid))

        def run_on(grid: tuple[int, ...]) -> None:
            work.kernel[grid](**work.arguments)

        before = [part.clone() for part in work.outputs]
        start = time.perf_counter()
        run_on(grid)
        if work.part or (time.perf_counter() - start) * whole / part > limit:
            self.scale = whole / grid[work.part_axis]
            return lambda: run_on(grid), []
        for out, kept in zip(work.outputs, before, strict=True):
            out.copy_(kept)
        run_on(work.grid)
        return lambda: run_on(work.grid), work.outputs


def launched(work: Launch, _limit: float) -> tuple[Callable[[], Any], list[torch.Tensor]]:
    """Compiled and run once by Triton; from then on the compiled kernel's launcher is called as Triton calls it."""
    compiled = work.kernel[work.grid](**work.arguments)
    kept = [part.clone() for part in work.outputs]
    grid = (*work.grid, 1, 1)[:3]
    order = [work.arguments[name] for name in work.kernel.arg_names]
    fixed = (*grid, 0, compiled.function, compiled.packed_metadata, None, None, None)
    launcher = compiled.run
    return lambda: launcher(*fixed, *order), kept


def burst(run: Callable[[], Any], seconds: float, most: int) -> list[float]:
    """Times of runs back to back until `seconds` are over or `most` are done; at least one."""
    times: list[float] = []
    clock = time.perf_counter
    begin = clock()
    while not times or (len(times) < most and clock() - begin < seconds):
        start = clock()
        run()
        times.append(clock() - start)
    return times


def answer(words: dict[str, Any], opened: Opened | None) -> tuple[dict[str, Any], Opened | None]:
    """What a line asks for, and the row that is open after it."""
    if "open" in words:
        if opened is not None:
            opened.stack.close()
        opened = Opened(rows.find(words["open"]), words.get("tiny", False), words.get("limit", 6.0))
        return {"first": opened.seconds, "scale": opened.scale, "tolerance": opened.case.tolerance}, opened
    assert opened is not None
    if "burst" in words:
        return {"seconds": burst(opened.run, words["burst"], words["most"])}, opened
    torch.save(opened.outputs, words["save"])
    return {}, opened


def main() -> int:
    """Serves until its input ends."""
    torch.set_num_threads(THREADS)
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what kernels and libraries print is not an answer
    opened = None
    for line in sys.stdin:
        try:
            reply, opened = answer(json.loads(line), opened)
        except Exception as error:  # noqa: BLE001  what a side cannot run is a result
            reply = {"error": f"{type(error).__name__}: {error}".strip().splitlines()[0][:300]}
        print(json.dumps(reply), file=replies, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
