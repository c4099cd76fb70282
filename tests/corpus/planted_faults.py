#!/usr/bin/env python3
"""Faults planted in kernels of the open corpus: how many a campaign finds, and in how many cases.

    planted_faults.py PLAN.toml [--faults 20] [--first-seed 0]

A fault is (kernel, operator, place), drawn by a seed: one of the operators of tests/differential/faults rewrites one op of
every compiled variant of the kernel. First the campaign runs as it is; a kernel is drawn from those that its cases launch.
Then, for each fault, the cases that launch the kernel run again, in the plan's order, until one ends otherwise than
before: another verdict, or an error of another code; if none does, one that is farther from its reference than before, which
`report --since` tells, is counted apart. All other cases cannot differ. A fault that changes no byte of what a
case stores is no fault there; nothing is done about that here, so that the figure is a lower one. Seeds that draw an
operator for which the kernel has no place are passed over, and counted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "differential" / "faults"))
import faults
from lockstep.campaign import plan as plans
from lockstep.campaign.report import gather, moved
from lockstep.campaign.worker import Runner
from lockstep.triton_backend import kernel as backend

Change = Callable[[str], str | None]


class Planter:
    """Changes the TTIR of one kernel wherever it is loaded; kernels that were loaded before are loaded again."""

    def __init__(self) -> None:
        self.target, self.change = "", lambda text: None
        self.changed = 0
        self.texts: dict[str, str] = {}  # of each kernel, as it is: the first that was loaded
        self._loaded: list[Any] = []
        load, prepare = backend.load, backend.LockstepKernel._load
        planter = self

        def planted_load(binary: bytes, name: str, **options: Any) -> Any:
            return load(planter.text_of(bytes(binary), name), name, **options)

        def noted_load(one: Any) -> None:
            prepare(one)
            planter._loaded.append(one)

        backend.load = planted_load
        backend.LockstepKernel._load = noted_load

    def text_of(self, binary: bytes, name: str) -> bytes:
        self.texts.setdefault(name, binary.decode())
        if name != self.target:
            return binary
        text = self.change(binary.decode())
        self.changed += text is not None
        return binary if text is None else text.encode()

    def plant(self, name: str, change: Change) -> None:
        """From now on the kernel is the changed one; an empty name takes the fault out again."""
        touched = {name, self.target}
        self.target, self.change, self.changed = name, change, 0
        again = [one for one in self._loaded if one.name in touched]
        self._loaded = [one for one in self._loaded if one.name not in touched]
        for one in again:
            one.module = None
            one.__dict__.pop("run", None)


def signature(result: dict[str, Any]) -> tuple[Any, ...]:
    codes = sorted({(one["code"], one["kernel"]) for one in result["findings"] if one["tier"] == "error"})
    return result["verdict"], tuple(codes)


def left(result: dict[str, Any]) -> moved.Left:
    """What the report compares with an earlier campaign's."""
    distance, measured = gather.distance_of(result, "")
    return moved.left_by(result, (), distance, measured)


def changer(operator: str, seed: int) -> Change:
    def change(text: str) -> str | None:
        lines = faults.OPERATORS[operator](text.splitlines(), random.Random(seed))
        return None if lines is None else "\n".join(lines) + "\n"

    return change


def base_run(runner: Runner, cases: list[tuple[str, dict]]) -> dict[str, dict]:
    results = {}
    for number, (key, case) in enumerate(cases):
        results[key] = runner.run(key, case)
        if number % 50 == 49:
            print(f"{number + 1} of {len(cases)} cases as they are", file=sys.stderr, flush=True)
    return results


def try_fault(runner: Runner, planter: Planter, kernel: str, operator: str, seed: int, cases: list, base: dict) -> dict[str, Any]:
    """What a fault does to the cases that launch its kernel."""
    own = [(number, key, case) for number, (key, case) in enumerate(cases) if kernel in base[key].get("coverage", {})]
    planter.plant(kernel, changer(operator, seed))
    started, told = time.monotonic(), None
    for number, key, case in own:
        result = runner.run(key, case)
        if result["verdict"] in ("refused", "error") and base[key]["verdict"] not in ("refused", "error"):
            told = {"found": False, "case": number, "how": f"{result['verdict']}: {result['message'][:150]}"}
            continue
        if signature(result) != signature(base[key]):
            told = {"found": True, "case": number, "how": f"{result['verdict']} {[one['code'] for one in result['findings'] if one['tier'] == 'error'][:2]} {result['message'][:110]}"}
            break
        if told is None and moved.is_farther(left(base[key]), left(result)):
            told = {"found": False, "farther": True, "case": number, "how": f"{left(base[key]).distance:.3g} -> {left(result).distance:.3g}"}
    changed = planter.changed
    planter.plant("", lambda text: None)
    return {"seed": seed, "kernel": kernel, "operator": operator, "cases": len(own), "variants": changed,
            "seconds": round(time.monotonic() - started, 1), **(told or {"found": False, "how": "every case ends as before"})}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args()
    plan = plans.read(options.plan)
    cases = [(key, json.loads(text)) for key, text in plan.cases()]
    planter = Planter()
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(str(plan.root), scratch, seconds=plan.limits.seconds, memory=plan.limits.memory)
        started = time.monotonic()
        base = base_run(runner, cases)
        took = time.monotonic() - started
        launched = sorted({name for result in base.values() for name in result.get("coverage", {})} & planter.texts.keys())
        print(f"{len(cases)} cases, {took:.0f} s, {len(launched)} kernels")
        found = farther = planted = passed_over = 0
        seed = options.first_seed
        while planted < options.faults:
            draw = random.Random(seed)
            kernel, operator = draw.choice(launched), draw.choice(list(faults.OPERATORS))
            if changer(operator, seed)(planter.texts[kernel]) is None:
                passed_over += 1
            else:
                planted += 1
                told = try_fault(runner, planter, kernel, operator, seed, cases, base)
                found += told["found"]
                farther += told.get("farther", False)
                print(json.dumps(told), flush=True)
            seed += 1
    print(f"{found} of {planted} faults found, {farther} more leave results farther from their reference "
          f"({passed_over} seeds without a place); the campaign has {len(cases)} cases")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
