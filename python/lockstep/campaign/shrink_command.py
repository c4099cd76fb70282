"""lockstep campaign shrink STATE ID [-o FOLDER]: a failing case made small."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lockstep.campaign import case_command
from lockstep.campaign.case import canonical, case_id
from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import UsageError
from lockstep.campaign.shrink import capsules, cases, kernels, launches, mismatches
from lockstep.campaign.worker import Runner

_SHRINKABLE = ("finding", "mismatch")


def main(words: list[str]) -> int:
    """Raises UsageError, PlanError, StateError."""
    positional, given = parse(words[1:], {"-o": "output", "--output": "output"}, {})
    if len(positional) != 2:
        raise UsageError("usage: lockstep campaign shrink FILE.toml|STATE ID [-o FOLDER]")
    plan, _, text = case_command.find(positional[0], positional[1])
    output = os.path.abspath(given.get("output", "."))
    os.makedirs(output, exist_ok=True)
    with case_command.runner_of(plan) as runner:
        return _shrink(runner, json.loads(text), output, positional[0])


def _shrink(runner: Runner, case: dict[str, Any], output: str, plan: str) -> int:
    def run(one: dict[str, Any]) -> dict[str, Any]:
        return runner.run(case_id(canonical(one)), one)

    result = run(case)
    failure = cases.Failure.of(result)
    if failure.verdict not in _SHRINKABLE:
        raise UsageError(f"the case ends with the verdict {result['verdict']} here ({result['message'] or 'nothing to say'}); "
                         f"only {' and '.join(_SHRINKABLE)} can be made small")  # fmt: skip
    small, tried = cases.shrunk(case, run, failure)
    key = case_id(canonical(small))
    path = os.path.join(output, f"{key}.case.json")
    Path(path).write_text(canonical(small) + "\n", encoding="ascii")
    print(f"case {key}: the least of {tried} that were tried\n  {canonical(small)}\n  {path}")
    if failure.verdict == "finding":
        _write_finding(runner, small, failure, output)
    else:
        _write_mismatch(runner, small, output)
    print(f"the case itself: lockstep campaign case {plan} {os.path.basename(path)}")
    return 0


def _write_finding(runner: Runner, case: dict[str, Any], failure: cases.Failure, output: str) -> None:
    codes = {code for code, _ in failure.codes}
    options = runner.options(case)

    def fails(one: capsules.Shrunk) -> bool:
        return bool(codes & capsules.errors_of(one, options))

    for one in launches.of(runner, case):
        if fails(one):
            _write(one, capsules.shrunk(one, fails), case, options, output)
            return
    print("no launch shows the finding by itself (it may need memory that nobody wrote)")


def _write_mismatch(runner: Runner, case: dict[str, Any], output: str) -> None:
    options = runner.options(case)
    if case["reference"] == "enclosure":
        name = f"{case_id(canonical(case))}.capsule"
        shutil.copyfile(os.path.join(str(runner.context.root), case["source"]["path"]), os.path.join(output, name))
        print(f"what was recorded is wrong, not a launch:\n  lockstep replay {name}")
        return
    for one in launches.of(runner, case):
        judge = launches.judge(runner, case, one, options)
        if judge is None or judge.expected(one) is None:
            continue
        small = mismatches.shrunk(one, judge)
        _write(one, small, case, options, output, mismatches.words_for(small, options, judge.words))
        return
    print("no launch is wrong by itself: who says so is the suite or function, not a reference of launches")


def _write(before: capsules.Shrunk, small: capsules.Shrunk, case: dict[str, Any], options: dict[str, Any], output: str,
           expected: Sequence[str] = ()) -> None:  # fmt: skip
    """Writes the capsule and says what runs it."""
    name = os.path.join(output, f"{case_id(canonical(case))}-{small.told['kernel']}.capsule")
    size = small.write(name)
    counts = f"{kernels.count(small.ttir)} of {kernels.count(before.ttir)} statements"
    print(f"launch {small.told['kernel']}: grid {small.told['grid']}, {counts}, {size:,} bytes\n"
          f"  {capsules.command_line(name, case, options, expected)}")  # fmt: skip
