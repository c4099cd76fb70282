"""lockstep campaign shrink STATE ID [-o FOLDER]: makes a failing case small."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lockstep.campaign import case_command
from lockstep.campaign.case import canonical, case_id
from lockstep.campaign.command_line import parse
from lockstep.campaign.plan import Plan
from lockstep.campaign.problems import UsageError
from lockstep.campaign.shrink import (
    capsules,
    cases,
    kernels,
    launches,
    mismatches,
    points,
)
from lockstep.campaign.worker import Runner

_SHRINKABLE = ("finding", "mismatch")


class _Folder:
    """The folder for files, under the name that was given: the working directory changes while cases run."""

    def __init__(self, given: str) -> None:
        self._given, self._path = given, os.path.abspath(given)
        os.makedirs(self._path, exist_ok=True)

    def path(self, name: str) -> str:
        return os.path.join(self._path, name)

    def named(self, name: str) -> str:
        """The file's name as a command line gives it, relative if ours was."""
        return shlex.quote(os.path.normpath(os.path.join(self._given, name)))


def main(words: list[str]) -> int:
    """Raises UsageError, PlanError, StateError."""
    positional, given = parse(words[1:], {"-o": "output", "--output": "output"}, {})
    if len(positional) != 2:
        raise UsageError("usage: lockstep campaign shrink FILE.toml|STATE ID [-o FOLDER]")
    plan, _, text = case_command.find(positional[0], positional[1])
    output = _Folder(given.get("output", "."))
    with case_command.runner_of(plan) as runner:
        return _shrink(runner, json.loads(text), output, positional[0], plan)


def _shrink(runner: Runner, case: dict[str, Any], output: _Folder, file: str, plan: Plan) -> int:
    def run(one: dict[str, Any]) -> dict[str, Any]:
        return runner.run(case_id(canonical(one)), one)

    result = run(case)
    failure = cases.Failure.of(result, case["options"].get("fail_on", "error"))
    if failure.verdict not in _SHRINKABLE:
        raise UsageError(f"the case ends with the verdict {result['verdict']} here ({result['message'] or 'nothing to say'}); "
                         f"only {' and '.join(_SHRINKABLE)} can be made small")  # fmt: skip
    search = cases.Search(run, failure)
    point, told = points.derived(plan, case), ""
    if point is None or not point.has_numbers:
        small = search.by_numbers(case)
    else:
        least = search.along_axes(point)
        small, told = least.case or case, least.told(point)
    key = case_id(canonical(small))
    name = f"{key}.case.json"
    Path(output.path(name)).write_text(canonical(small) + "\n", encoding="ascii")
    print(f"case {key}: the smallest of {search.count} cases that were tried\n  {canonical(small)}\n  {output.named(name)}")
    if told:
        print(f"smaller: {told}")
    elif small == case:
        print("no smaller case was found to fail in the same way")
    if failure.verdict == "finding":
        _write_finding(runner, small, failure, output)
    else:
        _write_mismatch(runner, small, output)
    print(f"the case itself: lockstep campaign case {file} {output.named(name)}")
    return 0


def _write_finding(runner: Runner, case: dict[str, Any], failure: cases.Failure, output: _Folder) -> None:
    options = runner.options(case)

    def fails(one: capsules.Shrunk) -> bool:
        return bool(failure.places & capsules.errors_of(one, options))

    for one in launches.of(runner, case):
        if fails(one):
            _write(one, capsules.shrunk(one, fails), case, options, output)
            return
    print("no launch shows the finding by itself (it may need memory that was never written)")


def _write_mismatch(runner: Runner, case: dict[str, Any], output: _Folder) -> None:
    options = runner.options(case)
    if case["reference"] == "enclosure":
        name = f"{case_id(canonical(case))}.capsule"
        shutil.copyfile(os.path.join(str(runner.context.root), case["source"]["path"]), output.path(name))
        print(f"what was recorded is wrong, not a launch:\n  lockstep replay {output.named(name)}")
        return
    for one in launches.of(runner, case):
        judge = launches.judge(runner, case, one, options)
        if judge is None or judge.expected(one) is None:
            continue
        small = mismatches.shrunk(one, judge)
        _write(one, small, case, options, output, mismatches.words_for(small, options, judge.words))
        return
    print("no launch is wrong by itself: the suite or function judges the case, not a reference of launches")


def _write(before: capsules.Shrunk, small: capsules.Shrunk, case: dict[str, Any], options: dict[str, Any], output: _Folder,
           expected: Sequence[str] = ()) -> None:  # fmt: skip
    """Writes the capsule and prints the command that runs it."""
    name = f"{case_id(canonical(case))}-{small.told['kernel']}.capsule"
    size = small.write(output.path(name))
    counts = f"{kernels.count(small.ttir)} of {kernels.count(before.ttir)} statements"
    print(f"launch {small.told['kernel']}: grid {small.told['grid']}, {counts}, {size:,} bytes\n"
          f"  {capsules.command_line(output.named(name), case, options, expected)}")  # fmt: skip
